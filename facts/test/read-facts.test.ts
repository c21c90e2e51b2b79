import {
  type JournalRecord,
  type SessionEvent,
  toSessionId,
  toToolCallId,
  toTurnId,
  userText,
} from "@capstan/protocol";
import { expect, test } from "vitest";
import { readFacts } from "../src/read-facts.ts";

const session = { id: toSessionId("01aaaaaaaaaaaaaaaaaaaaaaaa"), cwd: "/w", request: "" };

function events(...records: readonly JournalRecord[]): readonly SessionEvent[] {
  return records.map((record, index) => ({ seq: index + 1, at: 1000 + index, record }));
}

function said(text: string): Extract<JournalRecord, { type: "turn-started" }> {
  return { type: "turn-started", turnId: toTurnId("t1"), content: userText(text), origin: { frontend: "test" } };
}

function factsOf(...texts: readonly string[]): readonly (readonly [string, string])[] {
  return readFacts(events(...texts.map(said)), session).facts.map(({ kind, text }) => [kind, text] as const);
}

test("what a user says that binds or settles something is a fact; a task, a question and code are none", () => {
  expect(
    factsOf(
      "Fix the rounding in cart.js. Never change the public API! Should we always round up?\nWe decided to use pnpm.",
      "Add a test.\n```\n// never do this in code\n```\n- from now on, answer in English",
    ),
  ).toEqual([
    ["constraint", "Never change the public API!"],
    ["decision", "We decided to use pnpm."],
    ["constraint", "from now on, answer in English"],
  ]);
});

test("words count as they are, without case, and not in the middle of others", () => {
  expect(
    factsOf(
      "Nevertheless it rounds down.",
      "Look into the ONNEVER module.",
      "Künftig nur noch mit Tests.",
      "ALWAYS, please: run it.",
    ),
  ).toEqual([
    ["constraint", "Künftig nur noch mit Tests."],
    ["constraint", "ALWAYS, please: run it."],
  ]);
  expect(factsOf("Nevertheless, never round up.", "énever and jamaisé, toujours")).toHaveLength(2);
});

test("a sentence that is said again is the same fact, with its newest place", () => {
  const { facts } = readFacts(events(said("Always run the linter."), said("always run the LINTER.")), session);
  expect(facts).toHaveLength(1);
  expect(facts[0]).toMatchObject({
    at: 1001,
    source: { sessionId: session.id, seq: 2 },
    cwd: "/w",
    scope: "workspace",
  });
});

test("a user's own command and the plan that a turn carries out say nothing of their own", () => {
  const call = {
    type: "tool-call",
    callId: toToolCallId("c1"),
    name: "run_command",
    arguments: { type: "json", value: {} },
  } as const;
  const { facts } = readFacts(events({ ...said("never mind the command"), call }), session);
  expect(facts).toEqual([]);
});

test("a changed file is a fact with its hash and the request it was changed for, and changing it again replaces it", () => {
  const { facts, request } = readFacts(
    events(said("Fix the total"), finished("1", "created"), said("And the tax"), finished("2", "modified")),
    session,
  );
  expect(facts.map(({ text, files }) => [text, files])).toEqual([
    ["src/a.ts was modified: And the tax", [{ path: "/w/src/a.ts", sha256: "2" }]],
  ]);
  const next = readFacts(events(finished("3", "modified")), { ...session, request });
  expect(next.facts[0]?.text).toBe("src/a.ts was modified: And the tax");
  expect(next.facts[0]?.id).toBe(facts[0]?.id);
  expect(readFacts(events(finished("4", "deleted")), session).facts).toEqual([]);
});

function finished(sha256: string, kind: "created" | "modified" | "deleted"): JournalRecord {
  return {
    type: "tool-finished",
    callId: toToolCallId("c1"),
    outcome: { type: "done", content: "" },
    changes: [
      { path: "src/a.ts", kind, addedLines: 1, removedLines: 0 },
      { path: "/elsewhere/b.ts", kind, addedLines: 1, removedLines: 0 },
    ],
    observed: [
      { path: "/w/src/a.ts", sha256 },
      { path: "/elsewhere/b.ts", sha256 },
    ],
    durationMs: 1,
  };
}
