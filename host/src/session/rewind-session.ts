import type { AppError, Origin, SessionEvent, SessionId } from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";
import type { LocalEngine } from "./local-engine.ts";

export type RewindRequest =
  | {
      readonly type: "back";
      /** How many turns stay; without it all but the last. */
      readonly keepTurns?: number;
      readonly conversation: boolean;
      readonly files: boolean;
    }
  | { readonly type: "forth" };

/** Takes turns back, or brings back what was taken. @returns what happened, in order: a notice when there was nothing to do */
export async function rewindSession(
  engine: LocalEngine,
  id: SessionId,
  request: RewindRequest,
  origin: Origin,
): Promise<readonly SessionEvent[]> {
  const session = await engine.openAtRest(id, origin);
  try {
    if (!(await hasJustHappened(session, request))) await rewind(session, request);
    return await session.events(session.openedAfter);
  } finally {
    await session.close();
  }
}

async function rewind(session: SessionRuntime, request: RewindRequest): Promise<void> {
  const done = rewound(session);
  await session.submit(
    request.type === "forth"
      ? { type: "unwind" }
      : { ...request, type: "rewind", keepTurns: request.keepTurns ?? session.snapshot().turns.length - 1 },
  );
  await done;
}

/** Whether opening the session finished just this: whoever was killed in the middle and says it again does not want it twice. */
async function hasJustHappened(session: SessionRuntime, request: RewindRequest): Promise<boolean> {
  const settled = (await session.events(session.openedAfter)).map(({ record }) => record);
  const finished = settled.find((record) => record.type === "rewind-finished");
  if (finished === undefined) return false;
  const records = (await session.events(0)).map(({ record }) => record);
  const begun = records.find((record) => record.type === "rewind-started" && record.rewindId === finished.rewindId);
  if (begun?.type !== "rewind-started") return false;
  if (request.type === "forth" || begun.direction === "forth") return request.type === begun.direction;
  const isAsFar = request.keepTurns === undefined || request.keepTurns === begun.keepTurns;
  return isAsFar && request.files && request.conversation === begun.conversation;
}

/** Resolves with the end of the rewind, or with the words that refuse it. */
async function rewound(session: SessionRuntime): Promise<void> {
  const fault: AppError | undefined = await new Promise((resolve) => {
    session.subscribe(({ record }) => {
      const isRefused = record.type === "notice" && record.code === "rewind.nothing";
      if (isRefused || record.type === "rewind-finished") resolve(undefined);
    });
    void session.fault.then(resolve);
  });
  if (fault !== undefined) throw fault;
}
