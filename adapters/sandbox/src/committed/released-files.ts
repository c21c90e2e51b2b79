import { maxLooksAtGit } from "../limits.ts";
import { identityAt } from "../protect/identity-at.ts";
import { type CommittedFiles, isGitAtWork, type StampedFiles, stampOf } from "./committed-files.ts";

/** Protected files that are open because they are committed as they are: watched as long as commands run that could read something else in them. */
export class ReleasedFiles {
  readonly #committed: CommittedFiles | undefined;
  readonly #stamps = new Map<string, string>();
  /** How often each was found changed while git was at work. */
  readonly #looks = new Map<string, number>();

  constructor(committed: CommittedFiles | undefined) {
    this.#committed = committed;
  }

  /** These from now on. */
  watch(released: StampedFiles): void {
    this.#stamps.clear();
    for (const [path, stamp] of released) this.#stamps.set(path, stamp);
  }

  forget(path: string): void {
    this.#stamps.delete(path);
    this.#looks.delete(path);
  }

  /** Those that hold something else now which is not committed. What git is just writing gets a moment: its commit comes after its files. */
  async changed(): Promise<readonly string[]> {
    const others = [...this.#stamps].filter(([path, stamp]) => {
      const now = stampOf(path);
      return now !== stamp && (now !== undefined || identityAt(path) !== undefined);
    });
    if (others.length === 0) return [];
    const committed = (await this.#committed?.among(others.map(([path]) => path))) ?? new Map<string, string>();
    return others.flatMap(([path]) => {
      const stamp = committed.get(path);
      const looks = (this.#looks.get(path) ?? 0) + 1;
      if (stamp !== undefined) {
        this.#stamps.set(path, stamp);
        this.#looks.delete(path);
        return [];
      }
      this.#looks.set(path, looks);
      return looks <= 1 || (looks <= maxLooksAtGit && isGitAtWork(path)) ? [] : [path];
    });
  }
}
