import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** To the vitest that stays. */
export interface TestsToRun {
  /** Test files, from the root. */
  readonly files: readonly string[];
  /** Sources that have another text than at the last run. */
  readonly changed: readonly string[];
}

/** From it. */
export interface FailedFiles {
  readonly failed: readonly string[];
}

/** Runs test files of a tree again and again in one vitest, which is ended and started anew when tests come to no end. */
export class WarmTests {
  readonly #root: string;
  readonly #limitMs: number;
  #child: ChildProcess | undefined;
  readonly #changed = new Set<string>();

  /** @param limitMs  how long one run may take */
  constructor(root: string, limitMs: number) {
    this.#root = root;
    this.#limitMs = limitMs;
  }

  /** A source has another text from now on. */
  changed(path: string): void {
    this.#changed.add(path);
  }

  /** The files that failed; `late` where they came to no end. */
  async failing(files: readonly string[]): Promise<readonly string[] | "late"> {
    this.#child ??= await this.#start();
    const child = this.#child;
    const changed = [...this.#changed];
    this.#changed.clear();
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#end(() => resolve("late")), this.#limitMs);
      child.once("message", ({ failed }: FailedFiles) => {
        clearTimeout(timer);
        child.removeAllListeners("exit");
        resolve(failed);
      });
      child.once("exit", (code) => {
        clearTimeout(timer);
        if (child === this.#child) reject(new Error(`the tests' process ended with ${code}`));
      });
      child.send({ files, changed } satisfies TestsToRun);
    });
  }

  close(): void {
    if (this.#child !== undefined) this.#end(() => undefined);
  }

  async #start(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ["--import", "tsx", "scripts/mutants/warm-vitest.ts"], {
      cwd: this.#root,
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      detached: true,
    });
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
