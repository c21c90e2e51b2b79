import type { AppendBatch, SessionStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";

/**
 * A store under which the process dies: `before` the fatal records are kept, or right `after`. Everything later fails, too.
 * What was kept stays in `store`, for the next process.
 * @param isFatal  called with each batch and its number, from 1
 */
export function dyingStore(
  store: SessionStore,
  when: "before" | "after",
  isFatal: (batch: AppendBatch, number: number) => boolean,
): SessionStore {
  let appends = 0;
  let isDead = false;
  return {
    ...store,
    async append(sessionId, batch) {
      appends += 1;
      const dies = !isDead && isFatal(batch, appends);
      if (isDead || (dies && when === "before")) {
        isDead = true;
        throw new AppError("storage.full", "no space left");
      }
      const events = await store.append(sessionId, batch);
      isDead = dies;
      if (dies) throw new AppError("storage.failed", "the process died");
      return events;
    },
  };
}
