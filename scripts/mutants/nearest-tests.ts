import { posix } from "node:path";
import type { SourceFile } from "../../test/tidy/source-file.ts";

/** Which test files load a source file, also through others, the nearest first. */
export class NearestTests {
  /** By file: who imports it. */
  readonly #importers = new Map<string, Set<string>>();
  readonly #tests: ReadonlySet<string>;

  /**
   * @param files  sources and tests, all that are looked at
   * @param tests  paths of those that are tests
   * @param packages  folders of the packages by their names, without `@capstan/`
   */
  constructor(files: readonly SourceFile[], tests: readonly string[], packages: ReadonlyMap<string, string>) {
    this.#tests = new Set(tests);
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const exports = new Map([...packages].map(([name, folder]) => [name, exportsOf(`${folder}/src/index.ts`, texts)]));
    for (const { path, text } of files) {
      for (const to of targetsOf(path, text, exports)) {
        if (!this.#importers.has(to)) this.#importers.set(to, new Set());
        this.#importers.get(to)?.add(path);
      }
    }
  }

  /** @param path  of a file, from the root */
  of(path: string): readonly string[] {
    const seen = new Set([path]);
    for (const file of seen) for (const importer of this.#importers.get(file) ?? []) seen.add(importer);
    return [...seen].filter((file) => this.#tests.has(file));
  }
}

/** What an index exports: the name, and the file it comes from. */
interface Exports {
  readonly index: string;
  readonly fileOf: ReadonlyMap<string, string>;
}

function exportsOf(index: string, texts: ReadonlyMap<string, string>): Exports {
  const fileOf = new Map<string, string>();
  for (const { names, from } of statementsOf(texts.get(index) ?? ""))
    for (const name of names) fileOf.set(name, posix.join(posix.dirname(index), from));
  return { index, fileOf };
}

/**
 * Files of ours that a file loads: of a package those that have the names it takes, or its whole index. What is taken as a type
 * only does not run there, and a file that is named is started, as a thread or a program.
 */
function targetsOf(path: string, text: string, exports: ReadonlyMap<string, Exports>): readonly string[] {
  const folder = posix.dirname(path);
  const running = withoutTypes(text);
  const own = [...running.matchAll(/"([^"\s]+\.tsx?)"/g)].map(({ 1: file = "" }) => posix.join(folder, file));
  const taken = statementsOf(running).flatMap(({ names, from }) => {
    const known = exports.get(from.replace("@capstan/", ""));
    return known === undefined ? [] : names.map((name) => known.fileOf.get(name) ?? known.index);
  });
  const whole = [...running.matchAll(/(?<!\}\s*=\s*await |\btypeof )\bimport\(\s*"([^"]+)"/g)].flatMap(
    ({ 1: from = "" }) => exports.get(from.replace("@capstan/", ""))?.index ?? [],
  );
  return [...own, ...taken, ...whole];
}

/** Without the statements that take or give types only. */
function withoutTypes(text: string): string {
  return text.replaceAll(
    /^(?:import|export)\s+(?:type\b[^"]*?|\{(?:\s*type\s[^,{}]+,?)+\s*\}\s*)from\s*"[^"]+"/gmu,
    "",
  );
}

/** Imports and re-exports with names in braces. */
function statementsOf(text: string): readonly { readonly names: readonly string[]; readonly from: string }[] {
  return [...text.matchAll(/\{([^{}]*)\}\s*(?:from|=\s*await import\()\s*"([^"]+)"/g)].map(
    ({ 1: list = "", 2: from = "" }) => ({
      from,
      names: list
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "" && !name.startsWith("type "))
        .map((name) => name.split(/\sas\s|:/u)[0]?.trim() ?? ""),
    }),
  );
}
