import { isAscii } from "node:buffer";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";

/** What each script gets: CommonJS's names, and what took the place of `import()` and of `import.meta.url`. */
interface ScriptScope {
  readonly exports: object;
  readonly require: (name: string) => unknown;
  readonly module: { exports: object };
  readonly importScript: (name: string) => Promise<unknown>;
  readonly scriptUrl: string;
}

/** Node's modules and the packages that are not bundled. */
export interface OtherModules {
  readonly require: (name: string) => unknown;
  readonly import: (name: string) => Promise<unknown>;
}

/**
 * The program's modules as scripts: V8 keeps compiled code of scripts, and on Node 20 none of modules. Each is evaluated once,
 * when it is first asked for.
 */
export class ScriptModules {
  readonly #folder: string;
  readonly #others: OtherModules;
  readonly #caches: readonly CodeCache[];
  readonly #modules = new Map<string, { exports: object }>();
  readonly #compiled = new Map<string, { readonly source: Buffer; readonly script: Script }>();

  /**
   * @param folder  where the scripts lie, absolute
   * @param caches  are asked in this order
   */
  constructor(folder: string, others: OtherModules, caches: readonly CodeCache[]) {
    this.#folder = folder;
    this.#others = others;
    this.#caches = caches;
  }

  /** @returns what the script exports */
  load(name: string): object {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    this.#modules.set(name, module);
    const path = join(this.#folder, name);
    const evaluate: (scope: ScriptScope) => void = this.#compile(name, path).runInThisContext();
    evaluate({
      exports: module.exports,
      require: (wanted) => (isScript(wanted) ? this.load(basename(wanted)) : this.#others.require(wanted)),
      module,
      importScript: async (wanted) => (isScript(wanted) ? this.load(basename(wanted)) : this.#others.import(wanted)),
      scriptUrl: pathToFileURL(path).href,
    });
    return module.exports;
  }

  /** The scripts that no cache had, with their code as it is now: functions that were called are in it. */
  compiled(): ReadonlyMap<string, { readonly source: Buffer; readonly code: Buffer }> {
    return new Map(
      [...this.#compiled].map(([name, { source, script }]) => [name, { source, code: script.createCachedData() }]),
    );
  }

  #compile(name: string, filename: string): Script {
    const source = readFileSync(filename);
    let cachedData: Buffer | undefined;
    // From the first that has it: each of them reads and hashes script and code whole.
    for (const one of this.#caches) cachedData ??= one.read(name, source);
    // The build writes ASCII, which V8 keeps with one byte for a letter and outside of its heap.
    const script = new Script(source.toString(isAscii(source) ? "latin1" : "utf8"), { filename, cachedData });
    // Refused: made by another V8, or one with other flags.
    if (script.cachedDataRejected !== false) this.#compiled.set(name, { source, script });
    return script;
  }
}

function isScript(name: string): boolean {
  return name.startsWith("./");
}
