import { isWithin } from "@capstan/patterns";
import { AppError, messageOf } from "@capstan/protocol";
import type { Layout } from "../layout/check-layout.ts";
import type { Mount } from "../layout/profile.ts";
import { closedSourcesIn } from "../protect/closed-sources.ts";
import { identityAt } from "../protect/identity-at.ts";
import { planProtection, type Protection, type ProtectionRequest } from "../protect/plan-protection.ts";
import { governingState, type GoverningState } from "../quarantine/new-names.ts";
import { maxHolderTries } from "../limits.ts";
import type { Holder } from "./holder.ts";
import { type HolderParts, startHolder } from "./start-holder.ts";

/** What one command finds when it starts. */
export interface HeldGround {
  readonly holder: Holder;
  readonly protection: Protection;
  /** What governed when the first of the commands that run now started. */
  readonly governing: GoverningState;
  /** To be called once, when the command has ended. */
  end(): void;
}

export type Targets = Pick<ProtectionRequest, "deniedPatterns" | "opened" | "isScript">;

/** The holder of some folders, with what covers protected files in it. It is started by the first command. */
export class Holding {
  readonly #parts: HolderParts;
  readonly #layout: Layout;
  readonly #identity: string;
  #holder: Holder | undefined;
  /** By path: which file is covered there, and how. */
  #covered = new Map<string, Covered>();
  #governing: GoverningState | undefined;
  #running = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: HolderParts, layout: Layout) {
    this.#parts = parts;
    this.#layout = layout;
    this.#identity = identityOf(layout);
  }

  /** The folders are still those that they were. */
  get isCurrent(): boolean {
    return identityOf(this.#layout) === this.#identity;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Makes everything ready for a command; one after another. @throws AppError `sandbox.failed`, `sandbox.layout`; the system's error */
  async begin(targets: Targets): Promise<HeldGround> {
    const begun = this.#last.then(() => this.#begin(targets));
    this.#last = begun.catch(() => undefined);
    return await begun;
  }

  close(): void {
    this.#holder?.close();
    this.#holder = undefined;
  }

  async #begin(targets: Targets): Promise<HeldGround> {
    const protection = await this.#protect(targets);
    const holder = this.#holder;
    if (holder === undefined) throw new AppError("internal.bug", "a holder was closed while a command was made ready");
    this.#governing ??= governingState(protection.surveys.values());
    this.#running += 1;
    return {
      holder,
      protection,
      governing: this.#governing,
      end: () => {
        this.#running -= 1;
        if (this.#running === 0) this.#governing = undefined;
      },
    };
  }

  /** Again when something was moved while it was being covered. */
  async #protect(targets: Targets): Promise<Protection> {
    for (let tries = 1; ; tries += 1) {
      const closed = closedSourcesIn(this.#parts.options.stateDirectory);
      const { stateDirectory } = this.#parts.options;
      const protection = await planProtection({ layout: this.#layout, closed, stateDirectory, ...targets });
      const problem = await this.#cover(protection.plan.mounts);
      if (problem === undefined) return protection;
      if (tries >= maxHolderTries) throw new AppError("sandbox.failed", problem);
    }
  }

  /** @returns what cannot be covered, in words */
  async #cover(mounts: readonly Mount[]): Promise<string | undefined> {
    const wanted = new Map(
      mounts.map((mount) => [mount.path, { type: mount.type, identity: identityAt(mount.path) ?? "" }]),
    );
    const added = mounts.filter((mount) => !isSame(this.#covered.get(mount.path), wanted.get(mount.path)));
    try {
      if (this.#holder !== undefined && this.#canAdd(added) && !this.#isLifted(wanted)) {
        const failed = await this.#holder.cover(added);
        if (failed.length === 0) this.#covered = wanted;
        else this.close();
        return failed.length === 0 ? undefined : `${JSON.stringify(failed[0]?.path)} cannot be covered.`;
      }
      this.close();
      const closed = closedSourcesIn(this.#parts.options.stateDirectory);
      this.#holder = await startHolder(this.#parts, { layout: this.#layout, mounts, closed });
      this.#covered = wanted;
      return undefined;
    } catch (error) {
      this.close();
      return `The sandbox cannot be made ready: ${messageOf(error)}`;
    }
  }

  /** A mount from inside gives no more than what is there: what opens something must be there from the start. */
  #canAdd(added: readonly Mount[]): boolean {
    const open = [...this.#layout.roots, ...this.#layout.writable];
    const closed = [...this.#covered].filter(([, { type }]) => type !== "pinned").map(([path]) => path);
    return added.every(
      ({ type, path }) =>
        open.some((folder) => isWithin(folder, path)) &&
        (type !== "pinned" || !closed.some((folder) => isWithin(folder, path))),
    );
  }

  /** Something is covered that need not be any more. */
  #isLifted(wanted: ReadonlyMap<string, Covered>): boolean {
    return [...this.#covered].some(([path, { identity, type }]) => {
      const now = wanted.get(path);
      return now === undefined ? identityAt(path) === identity : now.identity === identity && now.type !== type;
    });
  }
}

interface Covered {
  readonly type: Mount["type"];
  readonly identity: string;
}

function isSame(covered: Covered | undefined, wanted: Covered | undefined): boolean {
  return covered !== undefined && covered.type === wanted?.type && covered.identity === wanted.identity;
}

function identityOf({ roots, writable }: Layout): string {
  return [...roots, ...writable].map((path) => `${path} ${identityAt(path) ?? ""}`).join("\n");
}
