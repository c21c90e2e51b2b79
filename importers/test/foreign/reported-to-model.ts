import { conversation } from "@capstan/session";
import { type SessionEvent, toSessionId } from "@capstan/protocol";
import { sessionConfig } from "@capstan/testkit";
import { readForeign } from "../../src/foreign/read-foreign.ts";
import { toJournal } from "../../src/foreign/to-journal.ts";
import { askedAgain, inShort, refusalsOf } from "./requests-of.ts";

const sessionId = toSessionId("imported");

/** The journal that is made of a file of these lines. */
export function events(lines: readonly object[]): readonly SessionEvent[] {
  const read = readForeign(lines.map((line) => JSON.stringify(line)).join("\n"));
  if (read === undefined) throw new Error("the file was not recognised");
  const workspace = { cwd: "/work", roots: ["/work"] };
  const frame = {
    sessionId,
    opening: [
      { type: "session-started", sessionId, workspace, origin: { frontend: "import" }, version: "1.2.3" } as const,
      { type: "session-configured", config: sessionConfig() } as const,
    ],
    now: 1000,
    redact: (text: string) => text,
  };
  return toJournal(read.session, frame, read.healing).events;
}

/** What the model is shown of a file before the next question. */
export function reported(...lines: readonly object[]): readonly string[] {
  const state = askedAgain(events(lines));
  const refusals = refusalsOf(state);
  if (refusals.length > 0) throw new Error(JSON.stringify(refusals));
  return inShort(conversation(state)).slice(0, -1);
}
