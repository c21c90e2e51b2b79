/** Runs in a thread of its own, for one call: what it is given comes from a model, and it can be ended from outside. */
import { parentPort } from "node:worker_threads";
import { evaluateJs, loadEngine } from "./evaluate-js.ts";
import type { JsRequest } from "./js-outcome.ts";

const engine = await loadEngine();
parentPort?.on("message", (request: JsRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
  parentPort?.postMessage(evaluateJs(engine, request));
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
parentPort?.postMessage("ready");
