import { mutated, type Mutation } from "./mutations.ts";
import type { TreeCopy } from "./tree-copy.ts";

/** A mutation of a file of a package. */
export interface Mutant extends Mutation {
  /** The package's folder. */
  readonly folder: string;
  /** From the root, with `/`. */
  readonly path: string;
}

/** `invalid`: the compiler stops it, and no test is needed. `late`: the tests no longer came to an end. */
export type Verdict = "killed" | "late" | "survived" | "invalid";

/** How long the compiler, and the tests, may take on a busy machine. */
const compileLimitMs = 300_000;
const testLimitMs = 300_000;

/** Lets the compiler and then the nearest tests of the fast tier look at a mutant: those of its package, then all others that load it. */
export async function judgeMutant(copy: TreeCopy, mutant: Mutant, others: readonly string[]): Promise<Verdict> {
  return await copy.with(mutant.path, mutated(copy.read(mutant.path), mutant), async () => {
    const compiled = await copy.run("tsc", ["-b", mutant.folder], { limitMs: compileLimitMs });
    if (compiled.code !== 0) return "invalid";
    for (const folders of others.length > 0 ? [[mutant.folder], others] : [[mutant.folder]]) {
      const { code } = await testsNear(copy, mutant.path, folders);
      if (code !== 0) return code === null ? "late" : "killed";
    }
    return "survived";
  });
}

/** Runs the tests below some packages that load a file. */
export async function testsNear(copy: TreeCopy, path: string, folders: readonly string[]): ReturnType<TreeCopy["run"]> {
  const near = ["--config", "scripts/mutants/near.config.ts", "--maxWorkers=2", "--bail=1", "--reporter=dot"];
  return await copy.run("vitest", ["related", path, "--run", ...near], {
    limitMs: testLimitMs,
    env: { CAPSTAN_TEST_FOLDERS: folders.map((folder) => `${folder}/test`).join(",") },
  });
}
