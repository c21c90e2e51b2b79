import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** The hash of script and code stands before the code. */
const hashBytes = 32;
const ending = ".code";

/**
 * Compiled code of scripts, in a folder for one version of Node: V8 takes no other's. V8 itself looks neither for damage nor
 * at the script's text beyond its length, so a hash over both lies beside the code. Who can write there can run code, so a
 * folder or file that others can write is not used.
 */
export class CodeCache {
  readonly #folder: string;

  /** @param parent  absolute; nothing is created before `write` */
  constructor(parent: string) {
    this.#folder = join(parent, `${process.version}-${process.arch}`);
  }

  /** @returns undefined when there is none that is whole, of this very script, and the user's or the administrator's own */
  read(name: string, source: Buffer): Buffer | undefined {
    const kept = this.#bytes(name);
    if (kept === undefined) return undefined;
    const code = kept.subarray(hashBytes);
    return hashOf(source, code).equals(kept.subarray(0, hashBytes)) ? code : undefined;
  }

  /**
   * What cannot be written is compiled again next time; nothing else depends on it.
   * @param codes  by the script's name
   * @param isCurrent  whether a script of this name still exists: the code of others is removed
   */
  write(
    codes: ReadonlyMap<string, { readonly source: Buffer; readonly code: Buffer }>,
    isCurrent: (name: string) => boolean,
  ): void {
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      for (const [name, { source, code }] of codes) this.#replace(name, Buffer.concat([hashOf(source, code), code]));
      for (const file of readdirSync(this.#folder))
        if (file.endsWith(ending) && !isCurrent(file.slice(0, -ending.length)))
          rmSync(join(this.#folder, file), { force: true });
    } catch {
      // A full disk or a home that is read-only: said where something is lost, and here nothing is.
    }
  }

  #bytes(name: string): Buffer | undefined {
    try {
      const file = openSync(this.#pathOf(name), constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        return isOwn(file) ? readFileSync(file) : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all, whoever else writes at the same time. */
  #replace(name: string, bytes: Buffer): void {
    const path = this.#pathOf(name);
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, path);
  }

  #pathOf(name: string): string {
    return join(this.#folder, `${name}${ending}`);
  }
}

function isOwn(file: number): boolean {
  const { mode, uid } = fstatSync(file);
  return (mode & 0o022) === 0 && (uid === process.geteuid?.() || uid === 0);
}

function hashOf(source: Buffer, code: Buffer): Buffer {
  return createHash("sha256").update(source).update(code).digest();
}
