import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { extractionHeapMb, workerStartMs } from "../limits.ts";

/** Starts what reads pages, and waits until it can. @throws what kept it from starting */
export async function startWorker(): Promise<Worker> {
  const worker = isSource ? new Worker(loader, { ...options, eval: true }) : new Worker(bundled, options);
  try {
    // One that fails while nobody waits for it is missed by nobody.
    worker.on("error", () => undefined);
    await once(worker, "message", { signal: AbortSignal.timeout(workerStartMs) });
    return worker;
  } catch (error) {
    void worker.terminate();
    throw error;
  }
}

/** Nothing of the environment, and no stream, is a page's business. */
const options = {
  env: {},
  execArgv: [],
  stdout: true,
  stderr: true,
  resourceLimits: { maxOldGenerationSizeMb: extractionHeapMb },
};

const isSource = import.meta.url.endsWith(".ts");

/** Beside the script that this is a part of. */
const bundled = new URL("page-worker.mjs", import.meta.url);

const typeScriptLoader = "tsx/esm/api";

/** A thread of Node 20 cannot begin with TypeScript: it learns to read it first. */
const loader = `import(${JSON.stringify(typeScriptLoader)}).then(({ register }) => {
  register();
  return import(${JSON.stringify(new URL("page-worker.ts", import.meta.url).href)});
});`;
