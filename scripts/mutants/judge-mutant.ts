import { mutated, type Mutation } from "./mutations.ts";
import type { NearestTests } from "./nearest-tests.ts";
import type { TreeCopy } from "./tree-copy.ts";
import type { WarmTests } from "./warm-tests.ts";

/** A mutation of a file of a package. */
export interface Mutant extends Mutation {
  /** The package's folder. */
  readonly folder: string;
  /** From the root, with `/`. */
  readonly path: string;
}

/** `invalid`: the compiler stops it, and no test is needed. `late`: the tests no longer came to an end. */
export type Verdict = "killed" | "late" | "survived" | "invalid";

/** How long the compiler may take on a busy machine. */
const compileLimitMs = 300_000;
/** Few tests first: the nearest notice most faults. */
const batchSizes: readonly number[] = [3, 9, 27];
const laterBatch = 40;

/** Lets the compiler and then the fast tests that load a mutant look at it, the nearest first. */
export class Judge {
  readonly #copy: TreeCopy;
  readonly #tests: WarmTests;
  readonly #nearest: NearestTests;
  /** By test file: whether it passes without a mutant. A test that fails anyway would kill every mutant. */
  readonly #sound = new Map<string, boolean>();

  constructor(copy: TreeCopy, tests: WarmTests, nearest: NearestTests) {
    this.#copy = copy;
    this.#tests = tests;
    this.#nearest = nearest;
  }

  /** @param isAsked  which of the tests count */
  async judge(mutant: Mutant, isAsked: (test: string) => boolean): Promise<Verdict> {
    if (!(await this.#compiles(mutant))) return "invalid";
    const open = this.#nearest.of(mutant.path).filter(isAsked);
    const sizes = batchSizes.values();
    while (open.length > 0) {
      const batch = open.splice(0, sizes.next().value ?? laterBatch).filter((test) => this.#sound.get(test) !== false);
      const verdict = await this.#tryBatch(mutant, batch);
      if (verdict !== "survived") return verdict;
    }
    return "survived";
  }

  async #tryBatch(mutant: Mutant, batch: readonly string[]): Promise<Verdict> {
    const failed = await this.#with(mutant, async () => await this.#failing(batch));
    if (failed === "late") return "late";
    for (const test of failed) {
      if (!(await this.#isSound(test))) continue;
      // Twice: a test that failed by chance has not noticed the mutant.
      const again = await this.#with(mutant, async () => await this.#failing([test]));
      if (again.length > 0) return "killed";
    }
    return "survived";
  }

  async #isSound(test: string): Promise<boolean> {
    const known = this.#sound.get(test);
    if (known !== undefined) return known;
    const failed = await this.#failing([test]);
    const isSound = failed !== "late" && failed.length === 0;
    this.#sound.set(test, isSound);
    return isSound;
  }

  async #compiles(mutant: Mutant): Promise<boolean> {
    const { code } = await this.#with(
      mutant,
      async () => await this.#copy.run("tsc", ["-b", mutant.folder], { limitMs: compileLimitMs }),
    );
    return code === 0;
  }

  async #failing(tests: readonly string[]): Promise<readonly string[] | "late"> {
    const ran = await this.#tests.run(tests);
    return ran === "late" ? ran : ran.failed;
  }

  /** With the mutant in its file, which then has its own text again. */
  async #with<Result>(mutant: Mutant, run: () => Promise<Result>): Promise<Result> {
    return await this.#tests.with(mutant.path, mutated(this.#copy.read(mutant.path), mutant), run);
  }
}
