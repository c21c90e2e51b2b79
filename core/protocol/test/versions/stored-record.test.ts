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
import { upcastRecord } from "../../src/versions/stored-record.ts";

const action = { tool: "run_command", risk: "high", digest: "d", command: { form: {}, cwd: "/w", timeoutMs: 1 } };
const completedAction = {
  ...action,
  command: { confinement: { type: "none" }, scripts: [], nested: [], form: {}, cwd: "/w", timeoutMs: 1 },
};

interface Stored extends JsonObject {
  readonly v?: number;
  readonly type: JournalRecord["type"];
}

/** What a stored record says in today's version, whatever else it lacks. */
function upcast({ v = 1, ...fields }: Stored): JsonObject {
  return upcastRecord(fields, fields.type, v);
}

function check(stored: Stored, expected: object): void {
  expect(upcast(stored)).toEqual({ ...stored, ...expected });
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
  ] as const) {
    check({ type, origin: old }, { origin: today });
    expect(upcast({ v: 2, type, origin: today })).toEqual({ type, origin: today });
  }
  const interaction = { id: "i1", digest: "d", request: { type: "plan" }, origin: old };
  expect(upcast({ v: 2, type: "interaction-opened", turnId: "t", interaction })).toEqual({
    type: "interaction-opened",
    turnId: "t",
    interaction: { ...interaction, origin: today },
  });
});

test("a configuration from before `askPolicy` had its name says what becomes of a question", () => {
  const config = { mode: "default", fallbacks: [] };
  const read = upcast({ v: 2, type: "session-configured", config: { ...config, attendance: "deny" } });
  expect(read).toEqual({ type: "session-configured", config: { ...config, askPolicy: "deny" } });
});

test("a denial from before users had their name is a user's", () => {
  const denied = { type: "denied", content: "no" };
  const [old, today] = [{ outcome: { ...denied, by: "person" } }, { outcome: { ...denied, by: "user" } }];
  check({ type: "tool-finished", callId: "c", ...old }, today);
  const policy = { outcome: { ...denied, by: "policy" } };
  check({ type: "tool-finished", callId: "c", ...policy }, policy);
  expect(upcast({ v: 2, type: "tool-finished", callId: "c", ...today })).toEqual({
    type: "tool-finished",
    callId: "c",
    ...today,
  });
});

test("what hooks did before their last event was there reads as it was, and is of a later version now", () => {
  const finished = { type: "hook-finished", runId: "r", event: "PreToolUse", outcomes: [], answer: {} } as const;
  const started = { type: "hook-started", runId: "r", event: "PreToolUse", key: "k", hooks: [] } as const;
  for (const record of [finished, started]) {
    expect(readRecord({ ...record })).toMatchObject({ record });
    expect(storedRecord(record)).toEqual({ ...record, v: 2 });
  }
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

const usage = { inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 };
const call = { type: "tool-call", callId: "c", name: "read_file", arguments: { type: "json", value: { path: "a" } } };
const message = {
  role: "assistant",
  origin: { provider: "p", model: "m", wire: "w" },
  content: [{ type: "text", text: "Look:" }, call],
};
const failure = { code: "provider.http", provider: "p", message: "busy", retryable: true };
const wholeRecords: readonly JsonObject[] = [
  { type: "step-completed", stepId: "s", message, reason: "tool-calls", usage, costUsd: null },
  { type: "turn-started", turnId: "t", content: [{ type: "text", text: "Go" }], origin: { frontend: "cli" }, call },
  { type: "turn-ended", turnId: "t", outcome: "done", rolledBack: false },
  { type: "interaction-resolved", interactionId: "i", answer: { type: "void" }, origin: { frontend: "cli" } },
  {
    type: "tool-finished",
    callId: "c",
    outcome: { type: "done", content: "1 line" },
    changes: [{ path: "/a", kind: "created", addedLines: 1, removedLines: 0 }],
    observed: [],
    durationMs: 3,
    effects: [{ path: "/a", before: null, after: { blob: "b", mode: "file" } }],
  },
];
const mayBeMissing = new Set(["call", "effects"]);

test("a record that lacks a field anywhere in it, or holds another kind of value there, is damage", () => {
  for (const record of wholeRecords) {
    expect(readRecord(record)).toEqual({ type: "record", record });
    for (const path of pathsIn(record)) {
      const isFree = mayBeMissing.has(path.join(".")) || /^\d+$/.test(path.at(-1) ?? "");
      const found = [put(record, path, undefined), put(record, path, { odd: true })].map(
        (json) => readRecord(json).type,
      );
      expect({ path, found }).toEqual({ path, found: [isFree ? "record" : "malformed", "malformed"] });
    }
  }
});

/** Of every value in it, but for what a model may write as it likes. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...(name === "arguments" ? [] : pathsIn(inner).map((path) => [name, ...path])),
  ]);
}

/** A copy with another value there; without an element or a field where it is `undefined`. */
function put(value: unknown, [name, ...rest]: readonly string[], into: unknown): unknown {
  if (Array.isArray(value)) {
    const at = Number(name);
    const element = rest.length === 0 ? into : put(value[at], rest, into);
    return element === undefined ? value.toSpliced(at, 1) : value.with(at, element);
  }
  const fields: object = Object(value);
  const inner: unknown = rest.length === 0 ? into : put(Reflect.get(fields, name ?? ""), rest, into);
  return Object.fromEntries(
    Object.entries({ ...fields, [name ?? ""]: inner }).filter(([, field]) => field !== undefined),
  );
}

test("a record may hold what only a later Capstan knows, and a number that JSON does not have", () => {
  const record = { type: "turn-ended", turnId: "t", outcome: "done", rolledBack: false, mood: "fine" };
  expect(readRecord(record)).toEqual({ type: "record", record });
  const endless = { type: "step-retrying", stepId: "s", attempt: 1, failure, delayMs: null };
  expect(readRecord(endless)).toEqual({ type: "record", record: endless });
  expect(readRecord({ ...endless, failure: { ...failure, code: "provider.moody" } })).toEqual({ type: "malformed" });
});
