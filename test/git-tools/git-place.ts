import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openGit } from "@capstan/git";
import type { ToolResult } from "@capstan/ports";
import { AppError, canonicalJson, type JsonObject } from "@capstan/protocol";
import { absentSandbox, quietContext } from "@capstan/testkit";
import { builtInSource, composeCatalog, type ToolsOptions } from "@capstan/tools";
import { onTestFinished } from "vitest";

const identity = {
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@a.test",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@a.test",
};

/** A repository, and the tools that ask git about it. Nothing keeps commands apart here: what holds, holds without the sandbox. */
export interface GitPlace {
  readonly root: string;
  /** Where programs of the repository leave that they ran. */
  readonly markers: string;
  readonly write: (path: string, content: string) => void;
  /** Plain git, as anybody calls it. */
  readonly git: (...args: readonly string[]) => string;
  /** The same, whatever its exit code. */
  readonly tryGit: (...args: readonly string[]) => void;
  readonly call: (tool: string, args?: JsonObject) => Promise<Called>;
  readonly marked: () => readonly string[];
}

/** `text`: what the model reads. `code`: of a failure or a refusal. */
export interface Called {
  readonly text: string;
  readonly code?: string;
  readonly details: JsonObject;
}

export function gitPlace(): GitPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-git-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, home, markers] = ["work", "home", "markers"].map((name) => join(base, name));
  if (root === undefined || home === undefined || markers === undefined) throw new Error("no folders");
  for (const folder of [root, home, markers]) mkdirSync(folder);
  const path = process.env["PATH"] ?? "";
  const env = { PATH: path, HOME: home, ...identity, GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true" };
  const run = (args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  run(["init", "--quiet", "--initial-branch=main"]);
  const catalog = composeCatalog([
    builtInSource(
      options(base, { PATH: path, HOME: home, ...identity }, async () => await Promise.resolve(openGit(home))),
    ),
  ]);
  const context = {
    workspace: { cwd: root, roots: [root] },
    ...quietContext,
    knownFile: () => undefined,
    signal: new AbortController().signal,
    callId: "call-1",
    onOutput: () => undefined,
  };
  const once = async (name: string, args: JsonObject): Promise<ToolResult> => {
    const tool = catalog.find(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const checked = catalog.check(tool, args);
    if (checked.type === "wrong") throw new AppError("tool.bad-arguments", checked.problem);
    const draft = await tool.prepare(checked.arguments, context);
    const action = { ...draft, digest: createHash("sha256").update(canonicalJson(draft)).digest("hex") };
    const staged = action.effect === "read" ? undefined : await tool.stage?.(action, context);
    return await tool.run(action, staged, { ...context, settle: staged?.settle ?? { files: [] } });
  };
  return {
    root,
    markers,
    write: (file, content) => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), content);
    },
    git: (...args) => run(args),
    tryGit: (...args) => {
      try {
        run(args);
      } catch {
        // What it ran is what counts.
      }
    },
    call: async (name, args = {}) => {
      try {
        const result = await once(name, args);
        const details = JSON.parse(JSON.stringify(result.details ?? {}));
        return { text: result.content, details, ...(result.status === "failed" ? { code: result.code } : {}) };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { text: error.message, code: error.code, details: {} };
      }
    },
    marked: () => readdirSync(markers).toSorted(),
  };
}

function options(
  base: string,
  environment: ToolsOptions["environment"],
  git: NonNullable<ToolsOptions["git"]>,
): ToolsOptions {
  return {
    deniedPatterns: ["**/.env", "**/.ssh/**", "**/*.pem"],
    allowAbsolute: true,
    home: join(base, "home"),
    ownFolders: [],
    sandbox: absentSandbox,
    spillDirectory: join(base, "spill"),
    statusDirectory: join(base, "runs"),
    environment,
    git,
    shell: undefined,
    timeouts: { fileMs: 30_000, commandMs: 30_000, maxCommandMs: 600_000, searchMs: 20_000 },
    limits: {
      outputBytes: 100 * 1024,
      readBytes: 200 * 1024,
      scanBytes: 2 * 1024 * 1024,
      patchBytes: 512 * 1024,
      writeBytes: 1024 * 1024,
      searchResults: 200,
      globResults: 1000,
    },
  };
}

/** Makes everything that a repository can have git start leave a marker of its name. */
export function arm({ root, markers, git, write }: GitPlace): void {
  const program = (name: string, rest = ""): string => {
    const path = join(markers, "..", `program-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch '${join(markers, name)}'\n${rest}`);
    chmodSync(path, 0o755);
    return path;
  };
  const settings: readonly (readonly [string, string])[] = [
    ["core.fsmonitor", program("fsmonitor")],
    ["core.pager", program("pager", "cat\n")],
    ["core.editor", program("editor")],
    ["core.sshCommand", program("ssh")],
    ["core.askPass", program("askpass")],
    ["core.alternateRefsCommand", program("alternates")],
    ["sequence.editor", program("sequence")],
    ["diff.external", program("external")],
    ["diff.evil.textconv", program("textconv", 'cat "$1"\n')],
    ["diff.evil.command", program("diff-command")],
    ["filter.evil.clean", program("clean", "cat\n")],
    ["filter.evil.smudge", program("smudge", "cat\n")],
    ["merge.evil.driver", program("merge")],
    ["gpg.program", program("gpg")],
    ["commit.gpgSign", "true"],
    ["log.showSignature", "true"],
    ["credential.helper", program("credential")],
    ["pager.status", program("pager-status", "cat\n")],
    ["pager.log", program("pager-log", "cat\n")],
    ["alias.status", `!${program("alias")}`],
    ["interactive.diffFilter", program("diff-filter", "cat\n")],
  ];
  for (const [name, value] of settings) git("config", name, value);
  const hooks =
    "pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-index-change reference-transaction pre-auto-gc post-rewrite";
  for (const hook of hooks.split(" ")) {
    const path = join(root, ".git", "hooks", hook);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\ntouch '${join(markers, `hook-${hook}`)}'\n`);
    chmodSync(path, 0o755);
  }
  write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
}
