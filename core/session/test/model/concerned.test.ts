import { toTurnId } from "@capstan/protocol";
import { packed, play, playOn, says, submit } from "@capstan/testkit";
import { expect, test } from "vitest";
import { isConcerned } from "../../src/index.ts";

test("somebody waits for the turn of their words, for what they steered, and for what is in line, and for nothing else", () => {
  const steered = submit({
    type: "user-input",
    turnId: toTurnId("steered"),
    content: [{ type: "text", text: "quickly" }],
    delivery: "steer",
  });
  const { state } = [packed("own"), steered, says("next")].reduce(playOn, play([says("own")]));
  const ids = ["own", "steered", "next", "other"].map((id) => toTurnId(id));
  expect(ids.filter((id) => isConcerned(state, id))).toEqual(["own", "steered", "next"]);
  const ended = playOn(play([says("own")]), submit({ type: "cancel", reason: "interrupted" })).state;
  expect(ids.filter((id) => isConcerned(ended, id))).toEqual([]);
});
