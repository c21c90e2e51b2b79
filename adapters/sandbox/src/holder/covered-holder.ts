import { isWithin } from "@capstan/patterns";
import { messageOf } from "@capstan/protocol";
import type { CommittedFiles, StampedFiles } from "../committed/committed-files.ts";
import { ReleasedFiles } from "../committed/released-files.ts";
import { entryAt, realPathOf } from "../layout/real-path.ts";
import type { Mount } from "../layout/profile.ts";
import { maxProtectedPaths, maxRenewals, maxRenewalTries, renewalPollMs } from "../limits.ts";
import type { ClosedSources } from "../protect/closed-sources.ts";
import { identityAt } from "../protect/identity-at.ts";
import type { Holder } from "./holder.ts";

/** Which file is covered, and how. */
export interface Cover {
  readonly mount: Mount;
  readonly identity: string;
}

/** Which files these mounts are to cover now. To be asked before they are made: what comes into their place then is noticed. */
export function coversOf(mounts: readonly Mount[]): readonly Cover[] {
  return mounts.map((mount) => ({ mount, identity: identityAt(mount.path) ?? "" }));
}

/** Ends a command. @param reason  for its user */
export type EndCommand = (reason: string) => void;

/**
 * A holder with what is covered in it. A cover follows its file wherever that is moved; but what somebody puts in the place of a
 * covered file has none. So as long as commands run, the places are looked at, and covered again: also for the commands that run. Where
 * that fails, these are ended.
 */
export class CoveredHolder {
  readonly #holder: Holder;
  readonly #open: readonly string[];
  readonly #closed: ClosedSources;
  readonly #pollMs: number;
  #covers = new Map<string, Cover>();
  readonly #commands = new Set<EndCommand>();
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #released: ReleasedFiles;
  #renewals = 0;
  /** Why nothing may run in it any more. */
  #broken: string | undefined;

  #isClosing = false;

  /**
   * @param covers  what the holder was started with
   * @param open  folders that commands may change
   */
  constructor(
    holder: Holder,
    covers: readonly Cover[],
    {
      open,
      closed,
      pollMs = renewalPollMs,
      committed,
    }: {
      readonly open: readonly string[];
      readonly closed: ClosedSources;
      readonly pollMs?: number | undefined;
      readonly committed?: CommittedFiles;
    },
  ) {
    this.#holder = holder;
    this.#open = open;
    this.#closed = closed;
    this.#pollMs = pollMs;
    this.#released = new ReleasedFiles(committed);
    this.#covers = new Map(covers.map((cover) => [cover.mount.path, cover]));
  }

  get holder(): Holder {
    return this.#holder;
  }

  get isIdle(): boolean {
    return this.#commands.size === 0;
  }

  /**
   * Whether the holder can be made to cover this; else another one is needed. What it covers besides stays covered as long as commands
   * run: they may have moved away for a moment what was looked for.
   */
  canBecome(covers: readonly Cover[]): boolean {
    const isWhole = this.#broken === undefined && !this.#isClosing;
    const canAdd = this.#canAdd(this.#missing(covers).map(({ mount }) => mount));
    return isWhole && canAdd && (!this.isIdle || !this.#isLifted(covers));
  }

  /** Whether these files have been covered, wherever they are now. */
  hasCovered(identities: readonly string[]): boolean {
    const covered = new Set([...this.#covers.values()].map(({ identity }) => identity));
    return identities.every((identity) => covered.has(identity));
  }

  /** Whether this very file is closed in it. */
  closes(path: string): boolean {
    const cover = this.#covers.get(path);
    return cover?.mount.type === "closed" && cover.identity === identityAt(path);
  }

  /**
   * @param released  protected files that are not covered as long as they are as they are
   * @returns what could not be covered, in words
   */
  async become(covers: readonly Cover[], released: StampedFiles = new Map()): Promise<string | undefined> {
    return await this.#inTurn(async () => {
      this.#released.watch(released);
      const missing = this.#missing(covers);
      const left = await this.#cover(missing.map(({ mount }) => mount));
      if (typeof left === "string") return left;
      // It may come back as what it was, and would be taken for one that is covered.
      const [moved] = left;
      if (moved !== undefined) return `${JSON.stringify(moved.path)} was moved while it was being covered`;
      // What is gone may come back while a command runs.
      const gone = [...this.#covers.values()].filter(({ mount }) => identityAt(mount.path) === undefined);
      const kept = [...(this.isIdle ? gone.slice(0, maxProtectedPaths) : this.#covers.values()), ...covers];
      this.#covers = new Map(kept.map((cover) => [cover.mount.path, cover]));
      await this.#renew();
      return this.#broken;
    });
  }

  /** @param end  is called when the command must not run on @returns to be called when it has ended */
  enter(end: EndCommand): () => void {
    this.#commands.add(end);
    if (this.#timer === undefined) this.#look();
    return () => {
      this.#commands.delete(end);
      if (this.#commands.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (this.#isClosing) this.#holder.close();
    };
  }

  /** As soon as nothing runs in it any more: until then it is covered. */
  close(): void {
    this.#isClosing = true;
    if (this.isIdle) this.#holder.close();
  }

  #look(): void {
    if (!Number.isFinite(this.#pollMs)) return;
    const next = async (): Promise<void> => {
      await this.#inTurn(async () => this.#renew());
      if (this.#commands.size > 0) this.#look();
    };
    this.#timer = setTimeout(() => void next(), this.#pollMs).unref();
  }

  async #renew(): Promise<void> {
    for (let tries = 0; this.#broken === undefined; tries += 1) {
      const changed = (await this.#released.changed()).map((path) => this.#closing(path));
      const replaced = [...[...this.#covers.values()].flatMap((cover) => this.#replaced(cover)), ...changed.flat()];
      if (replaced.length === 0) return;
      const mounts = replaced.map(({ mount }) => mount);
      this.#renewals += mounts.length;
      const canAdd = this.#canAdd(mounts);
      const left = canAdd ? await this.#cover(mounts) : "what took its place needs another sandbox";
      const isFailed = typeof left === "string";
      for (const cover of isFailed ? [] : replaced.filter(({ mount }) => !left.includes(mount))) {
        this.#covers.set(cover.mount.path, cover);
        this.#released.forget(cover.mount.path);
      }
      const isOver = isFailed && (!canAdd || tries >= maxRenewalTries);
      if (!isOver && this.#renewals <= maxRenewals) continue;
      const why = isFailed ? left : "it is replaced all the time";
      const name = JSON.stringify(mounts[0]?.path);
      this.#broken = `${name} is protected and was replaced while the command ran, and cannot be covered again: ${why}`;
    }
    for (const end of this.#commands) end(this.#broken);
  }

  /** What lies there is another file now. What is only reached through a link is protected where it lies. */
  #replaced({ mount, identity }: Cover): readonly Cover[] {
    const now = identityAt(mount.path);
    if (now === undefined || now === identity || realPathOf(mount.path) !== mount.path) return [];
    return mount.type === "closed" ? this.#closing(mount.path) : [{ mount, identity: now }];
  }

  #closing(path: string): readonly Cover[] {
    const identity = identityAt(path);
    if (identity === undefined || realPathOf(path) !== path) return [];
    const source = entryAt(path)?.isDirectory() === true ? this.#closed.folder : this.#closed.file;
    return [{ mount: { type: "closed", path, source }, identity }];
  }

  /** @returns those that were gone meanwhile, and have no cover; in words, what could not be covered */
  async #cover(mounts: readonly Mount[]): Promise<string | readonly Mount[]> {
    try {
      const failed = await this.#holder.cover(mounts);
      const [left] = failed.filter(({ path }) => identityAt(path) !== undefined);
      return left === undefined ? failed : `${JSON.stringify(left.path)} cannot be covered`;
    } catch (error) {
      return messageOf(error);
    }
  }

  #missing(covers: readonly Cover[]): readonly Cover[] {
    return covers.filter(({ mount, identity }) => {
      const cover = this.#covers.get(mount.path);
      return cover?.mount.type !== mount.type || cover.identity !== identity;
    });
  }

  /** A mount from inside gives no more than what is there: what opens something must be there from the start. */
  #canAdd(added: readonly Mount[]): boolean {
    const covered = [...this.#covers.values()].filter(({ mount }) => mount.type !== "pinned");
    return added.every(
      ({ type, path }) =>
        this.#open.some((folder) => isWithin(folder, path)) &&
        (type !== "pinned" || !covered.some(({ mount }) => isWithin(mount.path, path))),
    );
  }

  /** Something is covered that need not be any more. */
  #isLifted(covers: readonly Cover[]): boolean {
    const wanted = new Map(covers.map(({ mount }) => [mount.path, mount.type]));
    return [...this.#covers.values()].some(
      ({ mount, identity }) => wanted.get(mount.path) !== mount.type && identityAt(mount.path) === identity,
    );
  }

  async #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return await done;
  }
}
