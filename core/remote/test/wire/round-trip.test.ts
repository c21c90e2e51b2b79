/** What crosses arrives as it was sent: every submission, every record, also one that this version does not know. */
import { type InteractionAnswer, type JournalRecord, recordCatalog, type Submission } from "@capstan/protocol";
import { toInteractionId, toSessionId, toStepId, toTurnId } from "@capstan/protocol";
import { configVariants, memoryEngine, play, playMoves, randomMoves, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RemoteEngine, serveEngine } from "../../src/index.ts";
import { submission } from "../../src/operations/values.ts";
import { streamWindowCharacters } from "../../src/limits.ts";
import { checkParams } from "../../src/wire/request-line.ts";
import { eventLine, eventOf, frameOf } from "../../src/wire/event-line.ts";
import { connected } from "../pipe.ts";

type Arbitraries<Union extends { readonly type: string }> = {
  readonly [Type in Union["type"]]: fc.Arbitrary<Extract<Union, { readonly type: Type }>>;
};

const text = fc.string({ unit: "binary" });
const name = fc.string({ minLength: 1, maxLength: 40 });
const turnId = name.map(toTurnId);
const content = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("text" as const), text }),
    fc.record(
      { type: fc.constant("media" as const), mediaType: name, data: fc.base64String(), name },
      { requiredKeys: ["type", "mediaType", "data"] },
    ),
  ),
);
const callArguments = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));

/** An object of this type with these fields; the optional ones are there or not. */
function variant<Type extends string, Fields extends object>(
  type: Type,
  fields: { readonly [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> },
): fc.Arbitrary<Fields & { readonly type: Type }> {
  return fc.record<Fields>({ ...fields }).map((value) => ({ ...value, type }));
}

/** An object of this type without fields. */
function bare<Type extends string>(type: Type): fc.Arbitrary<{ readonly type: Type }> {
  return fc.constant({ type });
}

const answers: Arbitraries<InteractionAnswer> = {
  approve: fc.oneof(
    variant("approve", { digest: name }),
    variant("approve", { digest: name, scope: fc.constantFrom("once", "session", "always") }),
  ),
  edit: variant("edit", { digest: name, arguments: callArguments.map((value) => JSON.parse(JSON.stringify(value))) }),
  deny: fc.oneof(bare("deny"), variant("deny", { message: text })),
  reply: variant("reply", { answers: fc.array(fc.array(text)) }),
  plan: fc.oneof(
    variant("plan", { digest: name, decision: fc.constantFrom("proceed", "proceed-clean", "adjust", "cancel") }),
    variant("plan", {
      digest: name,
      decision: fc.constant("adjust"),
      mode: fc.constantFrom("default", "accept-edits", "auto"),
      message: text,
    }),
  ),
  continue: bare("continue"),
  stop: bare("stop"),
  "accept-as-done": bare("accept-as-done"),
  "run-again": bare("run-again"),
  undo: bare("undo"),
  "tell-model": bare("tell-model"),
  discard: bare("discard"),
};

const limit = fc.integer({ min: 1, max: 1_000_000 });
const submissions: Arbitraries<Submission> = {
  "user-input": fc.oneof(
    variant("user-input", { turnId, content }),
    variant("user-input", { turnId, content, delivery: fc.constantFrom("queue", "steer"), expectedTurnId: turnId }),
  ),
  "run-for-user": variant("run-for-user", {
    turnId,
    command: fc.oneof(fc.record({ script: text }), fc.record({ argv: fc.array(text, { minLength: 1, maxLength: 3 }) })),
  }),
  cancel: fc.oneof(
    variant("cancel", { reason: fc.constantFrom("interrupted", "timeout", "terminated") }),
    variant("cancel", {
      reason: fc.constant("interrupted"),
      turnId,
      queued: fc.constantFrom("continue", "hand-back"),
    }),
  ),
  "settle-proposals": fc.oneof(
    variant("settle-proposals", { decision: fc.constantFrom("apply", "refuse") }),
    variant("settle-proposals", {
      decision: fc.constant("apply"),
      files: fc.array(fc.record({ proposal: name, path: text }), { maxLength: 3 }),
      submissionId: name,
    }),
  ),
  "queue-change": variant("queue-change", {
    turnId,
    change: fc.oneof(
      bare("remove"),
      variant("replace", { content }),
      variant("move", { before: fc.option(turnId) }),
      bare("now"),
    ),
  }),
  answer: fc.oneof(
    variant("answer", { interactionId: name.map(toInteractionId), answer: fc.oneof(...Object.values(answers)) }),
    variant("answer", {
      interactionId: name.map(toInteractionId),
      answer: fc.oneof(...Object.values(answers)),
      answerId: name,
    }),
  ),
  set: fc.oneof(
    variant("set", { settings: fc.constant({}) }),
    variant("set", {
      settings: fc.record(
        {
          mode: fc.constantFrom("plan", "default", "accept-edits", "auto"),
          model: name,
          effort: name,
          strategy: fc.constantFrom("sequential", "parallel-reads", "review"),
          limits: fc.record({ maxToolCallsPerBatch: limit, maxCostUsd: fc.option(limit) }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
    }),
  ),
  title: variant("title", { title: text }),
  resume: bare("resume"),
  compact: bare("compact"),
  "change-compaction": variant("change-compaction", {
    compaction: name.map(toStepId),
    change: fc.oneof(variant("edit", { summary: text }), bare("undo"), bare("redo")),
  }),
  rewind: variant("rewind", { keepTurns: fc.nat(), conversation: fc.boolean(), files: fc.boolean() }),
  unwind: bare("unwind"),
  "revoke-grant": variant("revoke-grant", { grantId: name }),
};

test.each(Object.entries<fc.Arbitrary<Submission>>(submissions))(
  "every submission `%s` crosses whole",
  (_type, every) => {
    fc.assert(
      fc.property(every, (sent) => {
        expect(submission.parse(JSON.parse(JSON.stringify(sent)))).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  },
);

const session = toSessionId("s");

/** A record, sent and received. */
function crossed(record: unknown): unknown {
  const sent = JSON.parse(JSON.stringify({ seq: 3, at: 4, record }));
  const line = JSON.stringify(eventOf("1", session, { type: "record", event: sent }));
  const frame = frameOf(eventLine.parse(JSON.parse(line)));
  return frame?.type === "record" ? frame.event.record : undefined;
}

test("every record of random histories crosses as it is", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(randomMoves, fc.nat(configVariants - 1), (moves, config) => {
      for (const record of playMoves(moves, config).journal) {
        seen.add(record.type);
        expect(crossed(record)).toEqual(JSON.parse(JSON.stringify(record)));
      }
    }),
    { numRuns: runs(60) },
  );
  const common: readonly JournalRecord["type"][] = ["turn-started", "step-completed", "tool-decided", "tool-finished"];
  expect(common.filter((type) => !seen.has(type))).toEqual([]);
});

test("a record of a type that this version does not know is handed on", () => {
  const record = { type: "from-the-future", deep: [{ value: 1 }] };
  expect(Object.hasOwn(recordCatalog, record.type)).toBe(false);
  expect(crossed(record)).toEqual(record);
  expect(play([]).journal.map((known) => crossed(known))).toHaveLength(2);
});

test("an event that this version does not know is skipped, and what follows arrives", async () => {
  const { client, server, toClient } = connected();
  void serveEngine(memoryEngine(), server, {
    identity: { frontend: "test", role: "operate" },
    mayName: true,
    version: "1",
    processId: 1,
  });
  toClient.write(
    '{"event":"from-the-future","stream":"1","x":1}\n{"event":"record","stream":"9"}\n{"id":"77","ok":true}\n',
  );
  const engine = await RemoteEngine.connect(client);
  expect(await engine.models()).toEqual([{ name: "test/model-1", contextWindowTokens: 200_000 }]);
  await engine.close();
});

test("a window is one character at least, and no more than the server keeps ready", () => {
  for (const op of ["attach", "sessions.export"] as const) {
    const said = (window: number): unknown =>
      checkParams(op, { sessionId: "s", ...(op === "attach" ? { after: 0 } : { exact: false }), window }).type;
    expect([0, 1, streamWindowCharacters, streamWindowCharacters + 1, 1.5].map(said)).toEqual([
      "refused",
      "fit",
      "fit",
      "refused",
      "refused",
    ]);
  }
});
