import { type JournalRecord, type SessionEvent, toTurnId, userText } from "@capstan/protocol";
import { action, callId, opening } from "@capstan/testkit";
import { expect, test } from "vitest";
import { resultInDoubt } from "../src/result-in-doubt.ts";
import { FakeSession, numbered, turnEnded, turnStarted } from "./fake-session.ts";

const openedAt = 1000;
const acted = action("act", {}, { summary: "run npm publish" });

/** A turn in which a command was under way when the process died, as opening the session left it. */
function interrupted(message = "The outcome of a command is not known"): readonly JournalRecord[] {
  return [
    ...opening(),
    turnStarted(toTurnId("earlier")),
    turnEnded("done", { turnId: toTurnId("earlier") }),
    turnStarted(),
    { type: "tool-decided", callId: callId("c1"), action: acted, judgement: { verdict: "allow", reason: "rule" } },
    { type: "tool-started", callId: callId("c1"), digest: acted.digest, settle: { files: [] } },
    {
      type: "tool-finished",
      callId: callId("c1"),
      outcome: { type: "unknown", content: "nobody knows" },
      changes: [],
      observed: [],
      durationMs: 0,
    },
    turnEnded("outcome-unknown", { message }),
  ];
}

function ask(past: readonly SessionEvent[]): ReturnType<typeof resultInDoubt> {
  return resultInDoubt(new FakeSession(() => undefined, past), openedAt, userText("continue"));
}

test("a command whose outcome became unknown on opening is named, and the new words are handed back", async () => {
  expect(await ask(numbered(interrupted(), 0, openedAt))).toMatchObject({
    outcome: "outcome-unknown",
    toolCalls: 1,
    error: { message: "The outcome of a command is not known (run npm publish); check it, then send your words again" },
    draft: "continue",
  });
});

test("what was reported when it happened is not reported again", async () => {
  expect(await ask(numbered(interrupted(), 0, openedAt - 1))).toBeNull();
});

test("nothing is in doubt in a new session, or after any other end", async () => {
  expect(await ask(numbered(opening(), 0, openedAt))).toBeNull();
  for (const outcome of ["done", "error", "interrupted", "provider-failed"] as const)
    expect(await ask(numbered([...opening(), turnStarted(), turnEnded(outcome)], 0, openedAt))).toBeNull();
});
