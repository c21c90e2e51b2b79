import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { TreeCopy } from "./tree-copy.ts";

/** To the vitest that stays. */
export interface TestsToRun {
  /** Test files, from the root. */
  readonly files: readonly string[];
  /** Sources that have another text than at the last run. */
  readonly changed: readonly string[];
  /** Whether they start the binary, which is bundled for them. */
  readonly binary: boolean;
  /** A pattern that the full titles of tests match; absent: all tests of the files. */
  readonly titles?: string;
}

/** From it. */
export interface TestsRun {
  /** The files that failed. */
  readonly failed: readonly string[];
  /** How many tests ran. */
  readonly count: number;
}

/** Runs test files of a copy of the tree again and again in one vitest, which is ended and started again when tests come to no end. */
export class WarmTests {
  readonly #copy: TreeCopy;
  readonly #limitMs: number;
  readonly #env: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;
  readonly #changed = new Set<string>();

  /** @param limitMs  how long one run may take */
  constructor(copy: TreeCopy, limitMs: number, env: NodeJS.ProcessEnv = {}) {
    this.#copy = copy;
    this.#limitMs = limitMs;
    this.#env = env;
  }

  /** Runs something with another text in a source, which then has its own again. */
  async with<Result>(path: string, text: string, run: () => Promise<Result>): Promise<Result> {
    this.#changed.add(path);
    try {
      return await this.#copy.with(path, text, run);
    } finally {
      this.#changed.add(path);
    }
  }

  /**
   * `late`: they came to no end.
   * @param options  the titles of the tests, as a pattern; whether they start the binary
   */
  async run(
    files: readonly string[],
    options: Partial<Pick<TestsToRun, "titles" | "binary">> = {},
  ): Promise<TestsRun | "late"> {
    this.#child ??= await this.#start();
    const child = this.#child;
    const changed = [...this.#changed];
    this.#changed.clear();
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(() => resolve("late")), this.#limitMs);
      child.once("message", (ran: TestsRun) => {
        clearTimeout(timer);
        child.removeAllListeners("exit");
        resolve(ran);
      });
      child.once("exit", (code) => {
        clearTimeout(timer);
        if (child === this.#child) reject(new Error(`the tests' process ended with ${code}`));
      });
      child.send({ files, changed, binary: false, ...options } satisfies TestsToRun);
    });
  }

  close(): void {
    if (this.#child !== undefined) this.#end(() => undefined);
  }

  async #start(): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      ["--conditions=source", "--import", "tsx", "scripts/mutants/warm-vitest.ts"],
      {
        cwd: this.#copy.folder,
        env: { ...process.env, ...this.#env },
        stdio: ["ignore", "ignore", "inherit", "ipc"],
        detached: true,
      },
    );
    await once(child, "message");
    return child;
  }

  #end(ended: () => void): void {
    const child = this.#child;
    this.#child = undefined;
    child?.once("close", ended);
    if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }
}
