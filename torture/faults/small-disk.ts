import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { smallDiskBytes } from "../limits.ts";

const ballastName = "ballast";
const blockBytes = 4_096;

/** A file system of its own, small enough to fill. */
export class SmallDisk {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns `null` where mounting is not allowed, as for anybody but root */
  static mount(folder: string): SmallDisk | null {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const options = `size=${smallDiskBytes},mode=0700`;
    return run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]) ? new SmallDisk(folder) : null;
  }

  /** Fills it to the last block. */
  fill(): void {
    const file = openSync(join(this.#folder, ballastName), "w");
    const block = Buffer.alloc(blockBytes, 1);
    try {
      for (let written = blockBytes; written > 0 && written <= smallDiskBytes; written = writeSync(file, block));
    } catch {
      // Full, which was intended.
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(join(this.#folder, ballastName), { force: true });
  }

  writable(allowed: boolean): boolean {
    return run("mount", ["-o", `remount,${allowed ? "rw" : "ro"}`, this.#folder]);
  }

  unmount(): void {
    run("umount", ["-l", this.#folder]);
  }
}

function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, [...args], { stdio: "ignore" }).status === 0;
}
