import { AppError, type JournalRecord, type SessionEvent, type SessionId, toSessionId } from "@capstan/protocol";
import type { AppendBatch, SessionStore } from "@capstan/ports";
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
    }
  | { readonly type: "delete"; readonly id: SessionId }
  | { readonly type: "restart" };

/** Every answer on the way, and everything in the store at the end. */
export interface StoreRun {
  readonly answers: readonly Answer[];
  readonly contents: StoreContents;
}

/** The events of an append, or the code of its error. */
export type Answer = readonly SessionEvent[] | string;

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
    if (step.type === "append") {
      const batch = batchOf(step, model);
      actual.push(await answerOf(store.append(step.id, batch)));
      expected.push(step.offset === 0 ? model.append(step.id, batch) : "session.busy");
    } else if (step.type === "delete") {
      await store.delete(step.id);
      model.delete(step.id);
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
const record: fc.Arbitrary<JournalRecord> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(name, text).map(([scope, piece]) => delta(scope, piece)) },
  { weight: 2, arbitrary: fc.tuple(name, text).map(([scope, piece]) => thinking(scope, piece)) },
  { weight: 3, arbitrary: fc.tuple(name, text).map(([scope, piece]) => output(scope, piece)) },
  fc.constantFrom(abandoned, retrying, finished).chain((make) => name.map(make)),
  fc.constantFrom(opened, opened, resolved).chain((make) => name.map(make)),
  fc.constantFrom("", "fix it", "\n two\nlines ", "y".repeat(100)).map((words) => turn("t1", words)),
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
      records: fc.array(record, { maxLength: 12 }),
      at: fc.integer({ min: 0, max: 4 }),
      flush: fc.boolean(),
      offset: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constantFrom(-1, 1, 7)),
    }),
  },
  id.map((deleted) => ({ type: "delete" as const, id: deleted })),
  fc.constant({ type: "restart" as const }),
);

/** Few sessions, few scopes and a clock that stands still or goes back: what collides shows. */
export const storeSteps: fc.Arbitrary<readonly StoreStep[]> = fc.array(step, { maxLength: 25 });

function batchOf(append: Extract<StoreStep, { readonly type: "append" }>, model: PlainSessionStore): AppendBatch {
  const { at, records, flush } = append;
  return { after: model.last(append.id) + append.offset, at, records, flush };
}

async function answerOf(append: Promise<readonly SessionEvent[]>): Promise<Answer> {
  try {
    return await append;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}
