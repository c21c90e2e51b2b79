import { AppError, messageOf } from "@capstan/protocol";
import type { Layout } from "../layout/check-layout.ts";
import { closedSourcesIn } from "../protect/closed-sources.ts";
import { identityAt } from "../protect/identity-at.ts";
import { planProtection, type Protection, type Targets } from "../protect/plan-protection.ts";
import { governingState, type GoverningState } from "../quarantine/new-names.ts";
import { maxHolderTries } from "../limits.ts";
import { CoveredHolder, coversOf, type EndCommand } from "./covered-holder.ts";
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

/** The holder of some folders, with what covers protected files in it. It is started by the first command. */
export class Holding {
  readonly #parts: HolderParts;
  readonly #layout: Layout;
  readonly #identity: string;
  #covered: CoveredHolder | undefined;
  #around: readonly string[] = [];
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

  /**
   * Makes everything ready for a command; one after another.
   * @param end  is called when the command must not run on
   * @throws AppError `sandbox.failed`, `sandbox.layout`; the system's error
   */
  async begin(targets: Targets, end: EndCommand): Promise<HeldGround> {
    const begun = this.#last.then(() => this.#begin(targets, end));
    this.#last = begun.catch(() => undefined);
    return await begun;
  }

  /** What runs in the holder keeps it, and its covers. */
  close(): void {
    this.#covered?.close();
    this.#covered = undefined;
  }

  async #begin(targets: Targets, end: EndCommand): Promise<HeldGround> {
    const { protection, covered } = await this.#protect(targets);
    this.#governing ??= governingState(protection.surveys.values());
    this.#running += 1;
    const leave = covered.enter(end);
    return {
      holder: covered.holder,
      protection,
      governing: this.#governing,
      end: () => {
        leave();
        this.#running -= 1;
        if (this.#running === 0) this.#governing = undefined;
      },
    };
  }

  /** Again when something was moved while it was being covered. */
  async #protect(targets: Targets): Promise<{ readonly protection: Protection; readonly covered: CoveredHolder }> {
    const { committed, options } = this.#parts;
    const { stateDirectory } = options;
    // What is closed in a holder stays so: only another one could open it, and that would have another /tmp.
    const isClosed = (path: string): boolean => this.#covered?.closes(path) === true;
    for (let tries = 1; ; tries += 1) {
      const closed = closedSourcesIn(stateDirectory);
      const protection = await planProtection({
        layout: this.#layout,
        closed,
        stateDirectory,
        committed,
        isClosed,
        ...targets,
      });
      const covered = await this.#cover(protection);
      if (typeof covered !== "string") return { protection, covered };
      // What is not seen now is covered in the holder that there is, if anywhere.
      if (protection.unseen.length === 0) this.close();
      if (tries >= maxHolderTries)
        throw new AppError("sandbox.failed", `The sandbox cannot be made ready: ${covered.replace(/\.$/, "")}.`);
    }
  }

  /** @returns what is wrong, in words, where it cannot be covered */
  async #cover({ plan: { mounts }, released, around, unseen }: Protection): Promise<CoveredHolder | string> {
    const layout = { ...this.#layout, around };
    const current = this.#covered;
    const covers = coversOf(mounts);
    const isAsOpen = JSON.stringify(this.#around) === JSON.stringify(around);
    const hasUnseen = current?.hasCovered(unseen.map(({ identity }) => identity)) === true;
    if (isAsOpen && hasUnseen && current.canBecome(covers)) return (await current.become(covers, released)) ?? current;
    const [lost] = unseen;
    if (lost !== undefined) return movedMeanwhile(lost.path);
    this.close();
    try {
      const { stateDirectory, renewalPollMs: pollMs } = this.#parts.options;
      const closed = closedSourcesIn(stateDirectory);
      const holder = await startHolder(this.#parts, { layout, mounts, closed });
      const open = [...layout.roots, ...layout.writable, ...around];
      this.#around = around;
      this.#covered = new CoveredHolder(holder, covers, { open, closed, pollMs, committed: this.#parts.committed });
      const displaced = covers.find(({ mount, identity }) => identityAt(mount.path) !== identity);
      if (displaced !== undefined) return movedMeanwhile(displaced.mount.path);
      return (await this.#covered.become(covers, released)) ?? this.#covered;
    } catch (error) {
      return messageOf(error);
    }
  }
}

function movedMeanwhile(path: string): string {
  return `${JSON.stringify(path)} is protected, and cannot be found while commands run that may be moving it`;
}

function identityOf({ roots, writable }: Layout): string {
  return [...roots, ...writable].map((path) => `${path} ${identityAt(path) ?? ""}`).join("\n");
}
