import {
  AppError,
  type ErrorCode,
  type JournalRecord,
  type SessionEvent,
  type SessionId,
  toSessionId,
  unreachable,
} from "@capstan/protocol";
import type { AppendBatch, LeaseAnswer, LeaseClaim, SessionStore } from "@capstan/ports";
import * as fc from "fast-check";
import { everything, PlainSessionStore, type StoreContents } from "./plain-session-store.ts";
import {
  abandoned,
  configured,
  delta,
  ended,
  finished,
  notice,
  opened,
  output,
  resolved,
  retrying,
  started,
  thinking,
  titled,
  turn,
} from "./sample-records.ts";

/** One thing that is done to a store. */
export type StoreStep =
  | {
      readonly type: "append";
      readonly id: SessionId;
      readonly records: readonly JournalRecord[];
      readonly at: number;
      readonly flush: boolean;
      /** Added to the last number, to make an append that must be refused. */
      readonly offset: number;
      /** Taken from the last generation given out: 0 is the last holder's; `null`: without one. */
      readonly age: number | null;
    }
  | { readonly type: "claim"; readonly id: SessionId; readonly takesOver: boolean; readonly beatMs: number }
  | { readonly type: "release"; readonly id: SessionId; readonly age: number }
  | { readonly type: "delete"; readonly id: SessionId }
  | { readonly type: "restart" };

/** Every answer on the way, and everything in the store at the end. */
export interface StoreRun {
  readonly answers: readonly Answer[];
  readonly contents: StoreContents;
}

/** The events of an append, the answer to a claim, or the code of an error. */
export type Answer = readonly SessionEvent[] | LeaseAnswer | "done" | ErrorCode;

/** Takes the steps with a store and with the plain model of one. Both runs must be the same. */
export async function takeSteps(
  under: { readonly store: SessionStore; readonly reopen?: () => Promise<SessionStore> },
  steps: readonly StoreStep[],
): Promise<{ readonly actual: StoreRun; readonly expected: StoreRun }> {
  const model = new PlainSessionStore();
  const actual: Answer[] = [];
  const expected: Answer[] = [];
  let { store } = under;
  for (const step of steps) {
    /* oxlint-disable no-await-in-loop -- one step after the other */
    if (step.type !== "restart") {
      const asked = fitted(step, model);
      actual.push(await answerOf(async () => take(store, asked)));
      expected.push(await answerOf(async () => take(model, asked)));
    } else if (under.reopen !== undefined) {
      await store.close();
      store = await under.reopen();
    }
    /* oxlint-enable no-await-in-loop */
  }
  const contents = await everything(store);
  await store.close();
  return { actual: { answers: actual, contents }, expected: { answers: expected, contents: model.contents() } };
}

const name = fc.constantFrom("s1", "s2", "c\u0000", "__proto__");
const text = fc.oneof(fc.constantFrom("", "fix it", "\n two\nlines "), fc.string());
/** Few scopes, odd texts. */
export const sampleRecord: fc.Arbitrary<JournalRecord> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, text).map(([scope, piece]) => delta(scope, piece)) },
  { weight: 2, arbitrary: fc.tuple(name, text).map(([scope, piece]) => thinking(scope, piece)) },
  { weight: 3, arbitrary: fc.tuple(name, text).map(([scope, piece]) => output(scope, piece)) },
  fc.constantFrom(abandoned, retrying, finished).chain((make) => name.map(make)),
  fc.constantFrom(opened, opened, resolved).chain((make) => name.map(make)),
  fc.constantFrom("", "fix it", "\n two\nlines ", "y".repeat(100)).map((words) => turn("t1", words)),
  fc.constantFrom("", "A title", "\n two\nlines ", "z".repeat(100)).map(titled),
  fc.constantFrom(ended("t1"), configured("a", "b"), started("/w")),
  fc.constant(started("/f", { sessionId: toSessionId("01b"), seq: 3 })),
  text.map(notice),
);
const id = fc.constantFrom(toSessionId("01a"), toSessionId("01b"), toSessionId("02"));
const step: fc.Arbitrary<StoreStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("append" as const),
      id,
      records: fc.array(sampleRecord, { maxLength: 12 }),
      at: fc.integer({ min: 0, max: 4 }),
      flush: fc.boolean(),
      offset: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1, 7)),
      age: fc.constantFrom(null, null, 0, 0, 0, 1, -1),
    }),
  },
  fc.record({
    type: fc.constant("claim" as const),
    id,
    takesOver: fc.boolean(),
    beatMs: fc.nat({ max: 1000 }).map((quarters) => quarters / 4),
  }),
  fc.record({ type: fc.constant("release" as const), id, age: fc.constantFrom(0, 0, 1) }),
  id.map((deleted) => ({ type: "delete" as const, id: deleted })),
  fc.constant({ type: "restart" as const }),
);

/** Few sessions, few scopes and a clock that stands still or goes back: what collides shows. */
export const storeSteps: fc.Arbitrary<readonly StoreStep[]> = fc.array(step, { maxLength: 25 });

/** What a step asks for, in numbers that fit what is stored by then. */
type Asked =
  | { readonly type: "append"; readonly id: SessionId; readonly batch: AppendBatch }
  | { readonly type: "claim"; readonly id: SessionId; readonly claim: LeaseClaim }
  | { readonly type: "release"; readonly id: SessionId; readonly generation: number }
  | { readonly type: "delete"; readonly id: SessionId };

function fitted(asked: Exclude<StoreStep, { readonly type: "restart" }>, model: PlainSessionStore): Asked {
  switch (asked.type) {
    case "append": {
      const { at, records, flush, age } = asked;
      const generation = age === null ? {} : { generation: model.generation(asked.id) - age };
      const after = model.last(asked.id) + asked.offset;
      return { type: "append", id: asked.id, batch: { after, at, records, flush, ...generation } };
    }
    case "claim": {
      const { takesOver, beatMs } = asked;
      const owner = { id: "o", processId: 1, processStart: "2", bootId: "3", processNamespace: "4", frontend: "cli" };
      return { type: "claim", id: asked.id, claim: { owner, beatMs, at: 9, isGone: () => takesOver } };
    }
    case "release":
      return { type: "release", id: asked.id, generation: model.generation(asked.id) - asked.age };
    case "delete":
      return asked;
    default:
      return unreachable(asked);
  }
}

type Tried = Pick<SessionStore, "append" | "claim" | "release" | "delete">;

async function take(store: Tried, asked: Asked): Promise<Answer> {
  switch (asked.type) {
    case "append":
      return store.append(asked.id, asked.batch);
    case "claim":
      return store.claim(asked.id, asked.claim);
    case "release":
      await store.release(asked.id, asked.generation);
      return "done";
    case "delete":
      await store.delete(asked.id);
      return "done";
    default:
      return unreachable(asked);
  }
}

async function answerOf(attempt: () => Promise<Answer>): Promise<Answer> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
