import { ToolRefusal } from "@capstan/protocol";

/**
 * Gives reading work a bound. A hung file system cannot be interrupted, so the wait ends while the work may linger; nothing
 * that changes files may run in here.
 * @throws the signal's reason when it aborts first; `tool.timeout` when time runs out
 */
export async function withinTime<T>(
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const ended = new AbortController();
  const onAbort = (): void => ended.abort(signal.reason);
  const timer = setTimeout(() => ended.abort(timedOut(limitMs)), limitMs);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(ended.signal), rejectionOf(ended.signal)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

async function rejectionOf(signal: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function timedOut(limitMs: number): ToolRefusal {
  return new ToolRefusal("rejected", "tool.timeout", `The file system did not answer within ${limitMs / 1000} s.`);
}
