import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** What came of a program. */
export interface Ended {
  /** `null`: it took too long and was ended. */
  readonly code: number | null;
  readonly output: string;
}

/** A copy of the working tree in which faults are planted; the tree itself is never written to. */
export class TreeCopy {
  readonly folder: string;

  constructor(root: string) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-mutants-")));
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
    for (const path of listed.toString("utf8").split("\0")) copyFile(root, this.folder, path);
    linkModules(join(root, "node_modules"), join(this.folder, "node_modules"));
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** Runs something with another text in a file, which then has its own again. */
  async with<Result>(path: string, text: string, run: () => Promise<Result>): Promise<Result> {
    const own = this.read(path);
    writeFileSync(join(this.folder, path), text);
    try {
      return await run();
    } finally {
      writeFileSync(join(this.folder, path), own);
    }
  }

  /** Runs a program of `node_modules/.bin` in the copy, with all it starts, for so long at most. */
  async run(
    program: string,
    args: readonly string[],
    options: { limitMs: number; env?: NodeJS.ProcessEnv },
  ): Promise<Ended> {
    const child = spawn(join(this.folder, "node_modules", ".bin", program), args, {
      cwd: this.folder,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => pieces.push(piece));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, options.limitMs);
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    clearTimeout(timer);
    return { code: isLate ? null : code, output: Buffer.concat(pieces).toString("utf8") };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function copyFile(from: string, to: string, path: string): void {
  if (path === "") return;
  mkdirSync(dirname(join(to, path)), { recursive: true });
  // A file that is listed may have been removed since.
  cpSync(join(from, path), join(to, path), { force: true, verbatimSymlinks: true });
}

/** The packages from outside are the same; our own lead into the copy, as their links are relative. */
function linkModules(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === "@capstan") cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (!name.startsWith(".cap") && name !== ".vite") symlinkSync(join(from, name), join(to, name));
  }
}
