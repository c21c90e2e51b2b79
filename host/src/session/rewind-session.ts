import type { AppError, Origin, SessionClient, SessionEvent, SessionId } from "@capstan/protocol";
import type { LocalEngine } from "./local-engine.ts";

export type RewindWish =
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
  wish: RewindWish,
  origin: Origin,
): Promise<readonly SessionEvent[]> {
  const session = await engine.openAtRest(id, origin);
  try {
    const done = rewound(session);
    await session.submit(
      wish.type === "forth"
        ? { type: "unwind" }
        : { ...wish, type: "rewind", keepTurns: wish.keepTurns ?? session.snapshot().turns.length - 1 },
    );
    await done;
    return await session.events(session.openedAfter);
  } finally {
    await session.close();
  }
}

/** Resolves with the end of the rewind, or with the words that refuse it. */
async function rewound(session: SessionClient): Promise<void> {
  const fault: AppError | undefined = await new Promise((resolve) => {
    session.subscribe(({ record }) => {
      const isRefused = record.type === "notice" && record.code === "rewind.nothing";
      if (isRefused || record.type === "rewind-finished") resolve(undefined);
    });
    void session.fault.then(resolve);
  });
  if (fault !== undefined) throw fault;
}
