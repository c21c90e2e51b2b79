/**
 * A process of its own that keeps or applies and kills itself before its Nth change to the file system:
 * `crash-process STORE WORK N`, WORK being JSON of what to do.
 */
import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { createCheckpoints } from "../../src/index.ts";

const [folder = "", work = "", last = ""] = process.argv.slice(2);
let changesLeft = Number(last);

killWithin(fs, [
  "linkSync",
  "renameSync",
  "unlinkSync",
  "symlinkSync",
  "writeFileSync",
  "fchmodSync",
  "mkdirSync",
  "rmdirSync",
  "fsync",
]);
killWithin(promises, ["open", "rename", "mkdir", "unlink", "writeFile"]);
syncBuiltinESMExports();

const { workspace, scope, effects } = JSON.parse(work);
const checkpoints = createCheckpoints({ folder, copies: `${folder}-copies` });
const { signal } = new AbortController();
if (effects === undefined) await checkpoints.keep(workspace, scope, signal);
else await checkpoints.apply(workspace, effects, signal);

function killWithin(module: object, names: readonly string[]): void {
  for (const name of names) {
    const change: unknown = Reflect.get(module, name);
    if (typeof change !== "function") throw new Error(`there is no ${name}`);
    Reflect.set(module, name, (...values: readonly unknown[]): unknown => {
      changesLeft -= 1;
      if (changesLeft < 0) process.kill(process.pid, "SIGKILL");
      return Reflect.apply(change, module, values);
    });
  }
}
