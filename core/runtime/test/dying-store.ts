import type { SessionStore } from "@capstan/ports";
import { AppError } from "@capstan/protocol";

/**
 * A store under which the process dies at its n-th append: `before` the records are kept, or right `after`.
 * Everything later fails, too. What was kept stays in `store`, for the next process.
 */
export function dyingStore(store: SessionStore, dieAt: number, when: "before" | "after"): SessionStore {
  let appends = 0;
  return {
    ...store,
    async append(sessionId, batch) {
      appends += 1;
      if (appends > dieAt || (appends === dieAt && when === "before"))
        throw new AppError("storage.full", "no space left");
      const events = await store.append(sessionId, batch);
      if (appends === dieAt) throw new AppError("storage.failed", "the process died");
      return events;
    },
  };
}
