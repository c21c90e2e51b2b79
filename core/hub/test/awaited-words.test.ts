import { toTurnId, userText } from "@capstan/protocol";
import { expect, test } from "vitest";
import { AwaitedWords } from "../src/awaited-words.ts";
import { maxAwaitedWords } from "../src/limits.ts";

const origin = { frontend: "test" };
const [planning, carryingOut, foreign] = [toTurnId("t1"), toTurnId("t1.i1.plan"), toTurnId("t2")];

function started(turnId: typeof planning, follows?: typeof planning) {
  const begun = { type: "turn-started", turnId, content: userText("words"), origin } as const;
  return follows === undefined ? begun : { ...begun, follows };
}

test("whoever waits for a plan waits for the turn that carries it out, and for the one that carries out the plan of that", () => {
  const awaited = new AwaitedWords();
  awaited.add(planning);
  awaited.note(started(planning));
  awaited.note(started(carryingOut, planning));
  awaited.note(started(toTurnId("next"), carryingOut));
  expect(awaited.all()).toEqual([planning, carryingOut, "next"]);
});

test("turns of others, and the plans of others, are not waited for", () => {
  const awaited = new AwaitedWords();
  awaited.add(planning);
  awaited.note(started(foreign));
  awaited.note(started(carryingOut, foreign));
  expect(awaited.all()).toEqual([planning]);
});

test("words that were refused are waited for no more, and of very many the last are", () => {
  const awaited = new AwaitedWords();
  awaited.add(planning);
  awaited.delete(planning);
  expect(awaited.all()).toEqual([]);
  for (let number = 0; number <= maxAwaitedWords; number += 1) awaited.add(toTurnId(`w${number}`));
  awaited.add(toTurnId("w1"));
  expect([awaited.all().length, awaited.all()[0], awaited.all().at(-1)]).toEqual([maxAwaitedWords, "w2", "w1"]);
});
