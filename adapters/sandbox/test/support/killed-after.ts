import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bundledProgram } from "../../../../test/programs/bundled-program.ts";
import type { Place } from "./bench-place.ts";

/** Runs a script in the sandbox of another process, and kills that one when the script is through. */
export async function killedAfter(place: Place, script: string): Promise<void> {
  const helper = join(import.meta.dirname, "killed-process.ts");
  const words = [place.home, place.options.stateDirectory, place.workspace, `${script}; echo ready; sleep 100`];
  const child = spawn(process.execPath, [await bundledProgram(helper), ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
}
