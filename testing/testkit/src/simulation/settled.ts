import { promiseHops } from "./limits.ts";

/**
 * Resolves when everything that could continue by itself has done so: promises alone, and fewer in a row than this waits for.
 * A turn of the event loop would do as well and costs ten times as much.
 */
export async function settled(): Promise<void> {
  for (let hops = 0; hops < promiseHops; hops += 1) await passed;
}

const passed: Promise<void> = Promise.resolve();
