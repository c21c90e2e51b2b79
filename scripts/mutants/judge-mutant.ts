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

/** Where a mutant may be noticed. */
export interface TestsOfMutants {
  /** By what they load. */
  readonly nearest: NearestTests;
  /** Those that start the binary, in which every mutant is. */
  readonly ofBinary: ReadonlySet<string>;
  /** Whether these are asked, too: that takes minutes for each mutant that the others miss. */
  readonly startsBinary: boolean;
}

/** How long the compiler may take on a busy machine. */
const compileLimitMs = 300_000;
/** Few tests first: the nearest notice most faults. */
const batchSizes: readonly number[] = [3, 9, 27];
const laterBatch = 40;

/** Lets the compiler, then the fast tests that load a mutant, the nearest first, and then those that start the binary look at it. */
export class Judge {
  readonly #copy: TreeCopy;
  readonly #tests: WarmTests;
  readonly #of: TestsOfMutants;
  /** By test file: whether it passes without a mutant. A test that fails anyway would kill every mutant. */
  readonly #sound = new Map<string, boolean>();

  constructor(copy: TreeCopy, tests: WarmTests, of: TestsOfMutants) {
    this.#copy = copy;
    this.#tests = tests;
    this.#of = of;
  }

  /** @param isAsked  which of the tests count */
  async judge(mutant: Mutant, isAsked: (test: string) => boolean): Promise<Verdict> {
    if (!(await this.#compiles(mutant))) return "invalid";
    const { nearest, ofBinary, startsBinary } = this.#of;
    const loading = nearest.of(mutant.path).filter((test) => !ofBinary.has(test));
    const verdict = await this.#tryAll(mutant, loading.filter(isAsked));
    if (verdict !== "survived" || !startsBinary) return verdict;
    return await this.#tryAll(mutant, [...ofBinary].filter(isAsked));
  }

  async #tryAll(mutant: Mutant, tests: readonly string[]): Promise<Verdict> {
    const open = [...tests];
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
      // By itself, and nothing is written: what stands on it would be built again with each change.
      async () => await this.#copy.run("tsc", ["-p", mutant.folder, "--noEmit"], { limitMs: compileLimitMs }),
    );
    return code === 0;
  }

  async #failing(tests: readonly string[]): Promise<readonly string[] | "late"> {
    const ran = await this.#tests.run(tests, { binary: tests.some((test) => this.#of.ofBinary.has(test)) });
    return ran === "late" ? ran : ran.failed;
  }

  /** With the mutant in its file, which then has its own text again. */
  async #with<Result>(mutant: Mutant, run: () => Promise<Result>): Promise<Result> {
    return await this.#tests.with(mutant.path, mutated(this.#copy.read(mutant.path), mutant), run);
  }
}
