import { toInteractionId, toToolCallId, type Interaction } from "@capstan/protocol";
import { expect, test } from "vitest";
import { inboxBody, readInteraction } from "../../../src/sqlite/inbox-rows.ts";

const interaction: Interaction = {
  id: toInteractionId("i1"),
  request: { type: "plan-review", callId: toToolCallId("c1"), plan: "First this." },
  digest: "d",
  openedAt: 1,
  expiresAt: null,
  origin: { frontend: "cli" },
  answerers: [],
};

test("what waits is read as it was stored", () => {
  expect(readInteraction(inboxBody(interaction))).toEqual({ type: "interaction", interaction });
});

test("a row of a newer Capstan is named as such, and what is no row is malformed", () => {
  expect(readInteraction(JSON.stringify({ v: 99, ...interaction })).type).toBe("newer");
  const { id, request, ...rest } = interaction;
  const broken = [
    "{",
    "null",
    "[]",
    '"text"',
    { ...rest, id },
    { ...rest, request },
    { ...interaction, id: 1 },
    { ...interaction, request: "r" },
  ];
  expect(broken.map((row) => readInteraction(typeof row === "string" ? row : JSON.stringify(row)))).toEqual(
    broken.map(() => ({ type: "malformed" })),
  );
});
