import { existsSync } from "node:fs";
import { join } from "node:path";
import { dataDirectory } from "@capstan/host";
import type { LoadedProgram } from "../load-program.ts";
import { CodeCache } from "./code-cache.ts";
import { ScriptModules } from "./script-modules.ts";

/** CommonJS's own, which the entry is built as; the build puts in `__dirname` for the first. */
declare const capstanFolder: string;
declare const require: (name: string) => unknown;
/** Where the program's scripts lie, seen from the entry. Put in by the build. */
declare const capstanScripts: string;

/** From its scripts, with compiled code from beside them, or from the user's own data directory where Node is another than the build's. */
export async function loadProgram(): Promise<LoadedProgram> {
  const folder = join(capstanFolder, capstanScripts);
  const home = dataDirectory(process.env);
  const own = new CodeCache(join(home, "cache", "code"));
  const modules = new ScriptModules(folder, { require, import: (name) => import(name) }, [
    new CodeCache(join(folder, "code")),
    own,
  ]);
  const program = modules.load("program.js");
  if (!isProgram(program)) throw new Error(`${folder} holds no program of this version: install Capstan again`);
  const keepCode = (): void => {
    // No data directory is made for this alone.
    if (!existsSync(home)) return;
    const compiled = modules.compiled();
    if (compiled.size > 0) own.write(compiled, (name) => existsSync(join(folder, name)));
  };
  return { program, keepCode };
}

function isProgram(loaded: object): loaded is LoadedProgram["program"] {
  return "prepareProcess" in loaded && "runProgram" in loaded;
}
