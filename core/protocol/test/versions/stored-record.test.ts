import {
  type JsonObject,
  type JournalRecord,
  readRecord,
  recordCatalog,
  storedRecord,
  toTurnId,
} from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";

const action = { tool: "run_command", risk: "high", digest: "d", command: { form: {}, cwd: "/w", timeoutMs: 1 } };
const completedAction = {
  ...action,
  command: { confinement: { type: "none" }, scripts: [], nested: [], form: {}, cwd: "/w", timeoutMs: 1 },
};

function check(stored: JsonObject, expected: object): void {
  const read = readRecord(stored);
  expect(read).toEqual({ type: "record", record: { ...stored, ...expected } });
}

test("a configuration from before fallbacks, limits of writing and the sandbox names none of them", () => {
  const config = { mode: "default", limits: { maxCostUsd: 2 } };
  check(
    { type: "session-configured", config },
    {
      config: {
        mode: "default",
        fallbacks: [],
        interactionExpiryMs: null,
        sandbox: {
          isolation: { type: "none", reason: "the session's settings do not speak of one" },
          autoRun: false,
          withoutIsolation: "refuse",
          hosts: [],
        },
        limits: { maxBytesWrittenPerTurn: null, maxFilesWrittenPerTurn: null, maxCostUsd: 2 },
      },
    },
  );
});

test("a command from before the sandbox ran without one", () => {
  check({ type: "tool-decided", callId: "c", action }, { action: completedAction });
  const plain = { tool: "read_file", digest: "d" };
  check({ type: "tool-decided", callId: "c", action: plain }, { action: plain });
});

test("a question from before questions expired is bound to what it asked, and waits as long as it takes", () => {
  const rest = { openedAt: 0, expiresAt: null, origin: { frontend: "engine" }, answerers: [] };
  const budget = { type: "budget", limit: "steps", used: 1, allowed: 1 };
  check(
    { type: "interaction-opened", turnId: "t", interaction: { id: "i1", request: budget } },
    { interaction: { id: "i1", request: budget, digest: "i1", ...rest } },
  );
  check(
    { type: "interaction-opened", turnId: "t", interaction: { id: "i2", request: { type: "approval", action } } },
    {
      interaction: {
        id: "i2",
        digest: "d",
        ...rest,
        request: { type: "approval", action: completedAction, risk: "high", warnings: [] },
      },
    },
  );
  const doubt = { type: "recovery", calls: [{ callId: "c", action }] };
  check(
    { type: "interaction-opened", turnId: "t", interaction: { id: "i3", request: doubt } },
    {
      interaction: {
        id: "i3",
        digest: "i3",
        ...rest,
        request: { type: "recovery", calls: [{ callId: "c", action: completedAction }] },
      },
    },
  );
});

test("a record from before frontends had their name names the frontend it came from", () => {
  const [old, today] = [
    { face: "cli", user: "ann" },
    { frontend: "cli", user: "ann" },
  ];
  for (const type of [
    "session-started",
    "session-titled",
    "turn-queued",
    "queue-changed",
    "turn-steered",
    "turn-started",
    "interaction-resolved",
    "rewind-started",
  ]) {
    check({ type, origin: old }, { origin: today });
    expect(readRecord({ v: 2, type, origin: today })).toEqual({ type: "record", record: { type, origin: today } });
  }
  const interaction = { id: "i1", digest: "d", request: { type: "plan" }, origin: old };
  expect(readRecord({ v: 2, type: "interaction-opened", turnId: "t", interaction })).toEqual({
    type: "record",
    record: { type: "interaction-opened", turnId: "t", interaction: { ...interaction, origin: today } },
  });
});

test("a configuration from before `askPolicy` had its name says what becomes of a question", () => {
  const config = { mode: "default", fallbacks: [] };
  const read = readRecord({ v: 2, type: "session-configured", config: { ...config, attendance: "deny" } });
  expect(read).toEqual({
    type: "record",
    record: { type: "session-configured", config: { ...config, askPolicy: "deny" } },
  });
});

test("a denial from before users had their name is a user's", () => {
  const denied = { type: "denied", content: "no" };
  const [old, today] = [{ outcome: { ...denied, by: "person" } }, { outcome: { ...denied, by: "user" } }];
  check({ type: "tool-finished", callId: "c", ...old }, today);
  const policy = { outcome: { ...denied, by: "policy" } };
  check({ type: "tool-finished", callId: "c", ...policy }, policy);
  expect(readRecord({ v: 2, type: "tool-finished", callId: "c", ...today })).toEqual({
    type: "record",
    record: { type: "tool-finished", callId: "c", ...today },
  });
});

test("what an old record says of later fields stays", () => {
  const sandbox = { isolation: { type: "enforced" } };
  const limits = { maxBytesWrittenPerTurn: 7, maxFilesWrittenPerTurn: 8 };
  const config = { fallbacks: ["x"], interactionExpiryMs: 5, sandbox, limits };
  check({ type: "session-configured", config }, { config });
});

test("a version that is not known here is distinguished from damage, and named with what is known", () => {
  expect(readRecord({ v: 3, type: "tool-decided" })).toEqual({
    type: "newer",
    text: "it is tool-decided of version 3, and this Capstan knows versions up to 2",
  });
  expect(readRecord({ type: "dreamt" })).toEqual({ type: "newer", text: 'its type "dreamt" is not known here' });
  for (const damaged of [null, 7, "x", [], {}, { type: 3 }, { type: "notice", v: 0 }, { type: "notice", v: "2" }]) {
    expect(readRecord(damaged)).toEqual({ type: "malformed" });
  }
});

test("reading is total, and what was written today reads as it was", () => {
  const json = fc.jsonValue().map((value): unknown => value);
  const types = fc.constantFrom(...Object.keys(recordCatalog), "toString");
  fc.assert(
    fc.property(
      types,
      fc.dictionary(fc.constantFrom("config", "action", "interaction", "v", "x"), json),
      (type, rest) => {
        expect(["record", "newer", "malformed"]).toContain(readRecord({ ...rest, type }).type);
      },
    ),
  );
  const record: JournalRecord = { type: "context-packed", turnId: toTurnId("t"), parts: [] };
  expect(storedRecord(record)).toBe(record);
  expect(readRecord(storedRecord(record))).toEqual({ type: "record", record });
});
