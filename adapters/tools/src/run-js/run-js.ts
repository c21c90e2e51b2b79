import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { ToolResult } from "@capstan/ports";
import { messageOf } from "@capstan/protocol";
import { inertText } from "../paths/inert-text.ts";
import type { ToolCode } from "../tool-entry.ts";
import type { JsOutcome, JsRequest } from "./js-outcome.ts";
import { engineStartMs, maxJsSummaryLength, overtimeMs, runJsMs } from "./limits.ts";
import { startJsWorker } from "./start-js-worker.ts";

/** `run_js`: runs code that reaches nothing, each call in an engine of its own. @see seed P23 */
export function createRunJsTool(): ToolCode {
  return {
    prepare: async ({ code }) =>
      await Promise.resolve({
        tool: "run_js",
        arguments: { code: typeof code === "string" ? code : "" },
        effect: "read",
        risk: "low",
        paths: [],
        summary: inertText(`run_js ${typeof code === "string" ? code : ""}`.replace(/\s+/g, " "), maxJsSummaryLength),
      }),
    run: async ({ arguments: { code } }, _staged, { signal }) =>
      toResult(await runJs({ code: typeof code === "string" ? code : "", limitMs: runJsMs }, signal)),
  };
}

/** @throws the signal's reason; whatever else happens is an outcome */
export async function runJs(request: JsRequest, signal: AbortSignal): Promise<JsOutcome> {
  signal.throwIfAborted();
  const worker = startJsWorker();
  // A thread that fails while nobody waits for it is missed by nobody.
  worker.on("error", () => undefined);
  try {
    await message(worker, AbortSignal.any([signal, AbortSignal.timeout(engineStartMs)]));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
    worker.postMessage(request);
    const limit = AbortSignal.timeout(request.limitMs + overtimeMs);
    const outcome: JsOutcome = await message(worker, AbortSignal.any([signal, limit]));
    return outcome;
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof Error && error.name === "AbortError";
    return isLate
      ? { type: "TIMEOUT", printed: "", message: `it was ended after ${request.limitMs} ms: it kept its engine busy` }
      : { type: "INTERNAL", printed: "", message: messageOf(error) };
  } finally {
    await worker.terminate();
  }
}

/** What a thread says next. @throws where it ends or fails instead */
async function message<Said>(worker: Worker, signal: AbortSignal): Promise<Said> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const exit = once(worker, "exit", { signal: both }).then(() => {
    throw new Error("its thread ended");
  });
  // The message was there first.
  exit.catch(() => undefined);
  try {
    const [said] = await Promise.race([once(worker, "message", { signal: both }), exit]);
    return said;
  } finally {
    ended.abort();
  }
}

function toResult(outcome: JsOutcome): ToolResult {
  const { printed } = outcome;
  if (outcome.type === "value") {
    const cut = outcome.isCut ? "\n[cut: print less, or return less]" : "";
    return { status: "ok", content: `${printed}${outcome.value}${cut}` };
  }
  const content = `${printed}${outcome.type}: ${outcome.message}`;
  return { status: "failed", code: outcome.type === "TIMEOUT" ? "tool.timeout" : "tool.failed", content };
}
