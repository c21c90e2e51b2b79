import { type JournalRecord, toTurnId, userText } from "@capstan/protocol";
import { action, callId, opening } from "@capstan/testkit";
import { expect, test } from "vitest";
import { resultInDoubt } from "../src/turn/result-in-doubt.ts";
import { FakeSession, numbered, turnEnded, turnId, turnStarted } from "./fake-session.ts";

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

test("a command whose outcome became unknown is named, and the new words are handed back", async () => {
  const session = new FakeSession(() => undefined, { past: numbered(interrupted(), 0) });
  expect(await resultInDoubt(session, turnId, userText("continue"))).toMatchObject({
    outcome: "outcome-unknown",
    toolCalls: 1,
    error: { message: "The outcome of a command is not known (run npm publish); check it, then send your words again" },
    draft: "continue",
  });
});
