import { hookPoint } from "@capstan/hook-points";
import type { ProgramHookAnswer } from "@capstan/ports";
import { type HookEvent, type JsonObject, messageOf } from "@capstan/protocol";
import type { FoundHook, HookWork } from "../found-hook.ts";
import { maxOutputBytes } from "../limits.ts";
import { type HookWords, refusal, wordsOf } from "./hook-words.ts";

/** Asks a hook that is a function of this process. @throws the signal's reason */
export async function askFunction(
  { work, timeoutMs }: FoundHook & { readonly work: Extract<HookWork, { readonly type: "function" }> },
  event: HookEvent,
  input: JsonObject,
  signal: AbortSignal,
): Promise<HookWords> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    // The function gets a copy: what it does to it changes nothing.
    const answer = await until(either, async () => await work.run(structuredClone(input), { signal: either }));
    return wordsOfAnswer(event, answer);
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { result: "timed-out", message: `it had ${timeoutMs / 1000} s` };
    const reason = messageOf(error);
    const { may } = hookPoint(event);
    return may.includes("verdict") || may.includes("block")
      ? refusal(event, reason)
      : { result: "failed", message: reason };
  }
}

/** A function that does not look at its signal is not waited for. */
async function until<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const stopped = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Error("it is not waited for"));
    signal.addEventListener("abort", stop, { once: true, signal: stopped.signal });
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    stopped.abort();
  }
}

function wordsOfAnswer(event: HookEvent, answer: ProgramHookAnswer): HookWords {
  if (answer === undefined || answer === null) return { result: "passed" };
  const text = typeof answer === "string" ? answer : JSON.stringify(answer);
  if (Buffer.byteLength(text) > maxOutputBytes)
    return { result: "failed", message: `it answered with more than ${maxOutputBytes} bytes` };
  return wordsOf(event, text);
}
