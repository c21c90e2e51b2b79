import { Worker } from "node:worker_threads";
import { runJsHeapMegabytes } from "./limits.ts";

/** A thread with an engine, which says `ready` first. */
export function startJsWorker(): Worker {
  return isSource ? new Worker(loader, { ...options, eval: true }) : new Worker(bundled, options);
}

/** Nothing of the environment, and no stream, is the code's business. */
const options = {
  env: {},
  execArgv: [],
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: runJsHeapMegabytes },
};

const isSource = import.meta.url.endsWith(".ts");

/** Beside the script that this is a part of. */
const bundled = new URL("js-worker.mjs", import.meta.url);

const typeScriptLoader = "tsx/esm/api";

/** A thread of Node 20 cannot begin with TypeScript: it learns to read it first. */
const loader = `import(${JSON.stringify(typeScriptLoader)}).then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL("js-worker.ts", import.meta.url).href)});
});`;
