/** Runs in a thread of its own: what it is given comes from anywhere, and it has a limit of memory and of time. */
import { parentPort } from "node:worker_threads";
import { extractText } from "./extract-text.ts";
import type { PageSource } from "./page-text.ts";

parentPort?.on("message", (source: PageSource) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
  parentPort?.postMessage(extractText(source));
});
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
parentPort?.postMessage("ready");
