import { deepStrictEqual } from "node:assert";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AppliedEffect, Checkpoints } from "@capstan/ports";
import type { Checkpoint, FileEffect, Workspace } from "@capstan/protocol";
import { onTestFinished } from "vitest";
import { createCheckpoints } from "../src/index.ts";

/** A workspace with real files, and a store beside it. Everything is gone when the test has ended. */
export class Workshop {
  readonly base: string = realpathSync(mkdtempSync(join(tmpdir(), "capstan-checkpoints-")));
  readonly root: string = join(this.base, "workspace");
  readonly store: string = join(this.base, "store");
  readonly workspace: Workspace = { cwd: this.root, roots: [this.root] };
  readonly signal: AbortSignal = new AbortController().signal;
  checkpoints: Checkpoints = createCheckpoints({ folder: this.store, copies: `${this.store}-copies` });

  constructor() {
    mkdirSync(this.root);
    onTestFinished(() => {
      execFileSync("chmod", ["-R", "u+rwX", this.base]);
      rmSync(this.base, { recursive: true, force: true });
    });
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Uint8Array, mode: number = 0o644): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
    chmodSync(this.path(name), mode);
  }

  link(name: string, target: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    symlinkSync(target, this.path(name));
  }

  remove(name: string): void {
    rmSync(this.path(name), { recursive: true });
  }

  async keep(scope: readonly string[] | "everything" = "everything"): Promise<Checkpoint> {
    const paths = scope === "everything" ? scope : scope.map((name) => this.path(name));
    return await this.checkpoints.keep(this.workspace, paths, this.signal);
  }

  async since(checkpoint: Checkpoint): Promise<readonly FileEffect[]> {
    return await this.checkpoints.since(checkpoint, this.signal);
  }

  /** What was foreseen is what comes. @returns a line for each: "done", or the reason */
  async apply(effects: readonly FileEffect[]): Promise<readonly string[]> {
    const before = this.files();
    const foreseen = await this.checkpoints.foresee(this.workspace, effects, this.signal);
    deepStrictEqual(this.files(), before);
    const answers = await this.applyUnseen(effects);
    deepStrictEqual(foreseen.map(lineOf), answers);
    return answers;
  }

  /** The same, where looking does not tell what comes. */
  async applyUnseen(effects: readonly FileEffect[]): Promise<readonly string[]> {
    const answers = await this.checkpoints.apply(this.workspace, effects, this.signal);
    return answers.map(lineOf);
  }

  /** Another process on the same store: nothing is remembered in memory. */
  reopen(): void {
    this.checkpoints = createCheckpoints({ folder: this.store, copies: `${this.store}-copies` });
  }

  /** Every file and link: its path, its mode and its content. */
  files(folder: string = this.root): Readonly<Record<string, string>> {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const found = entries.flatMap((entry): [string, string][] => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) return [[path.slice(folder.length + 1), `link to ${readlinkSync(path)}`]];
      if (!entry.isFile()) return [];
      const mode = (lstatSync(path).mode % 0o1000).toString(8);
      return [[path.slice(folder.length + 1), `${mode} ${readFileSync(path).toString("latin1")}`]];
    });
    return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Real Git looks at the store. */
  git(...words: readonly string[]): string {
    return execFileSync("git", ["--git-dir", this.store, ...words], {
      env: gitEnvironment,
      encoding: "utf8",
      stdio: "pipe",
    });
  }

  /** Real Git in the workspace, as the user calls it. */
  userGit(...words: readonly string[]): string {
    const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    const environment = { ...gitEnvironment, HOME: this.base };
    return execFileSync("git", [...identity, ...words], { cwd: this.root, env: environment, encoding: "utf8" });
  }
}

function lineOf(answer: AppliedEffect): string {
  return answer.type === "done" ? "done" : answer.reason;
}

/** Effects the other way round. */
export function reversed(effects: readonly FileEffect[]): readonly FileEffect[] {
  return effects.map(({ path, before, after }) => ({ path, before: after, after: before }));
}

const gitEnvironment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};
