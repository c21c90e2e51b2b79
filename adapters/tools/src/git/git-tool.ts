import { existsSync } from "node:fs";
import { join } from "node:path";
import { isWithin } from "@capstan/patterns";
import type { Git, GitAnswer, GitWhere, Staged, ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  type JsonObject,
  messageOf,
  type PathUse,
  type RiskLevel,
  ToolRefusal,
} from "@capstan/protocol";
import { pathUse } from "../files/action-path.ts";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import type { ResolvedPath, WorkspacePaths } from "../paths/workspace-paths.ts";
import { commandSummary } from "../run-command/command-summary.ts";
import { createRunCommandTool } from "../run-command/run-command.ts";
import { withTrustedPath } from "../run-command/environment/search-path.ts";
import { StartDirectory } from "../run-command/start-directory.ts";
import { asResult, resolveAgain } from "../search/resolve-again.ts";
import type { ToolCode } from "../tool-entry.ts";
import { bad, textOf } from "./git-arguments.ts";
import type { BuildGitCall, GitCall } from "./git-call.ts";
import { gitLimits } from "./git-limits.ts";
import { changeResult, type GitReport, readResult } from "./git-result.ts";
import { protectedPathspecs } from "./protected-pathspecs.ts";

export interface GitToolParts {
  readonly options: ToolsOptions;
  readonly paths: WorkspacePaths;
  readonly git: Git;
  readonly build: BuildGitCall;
  readonly risk: RiskLevel;
}

/**
 * A tool that asks git. What only reads runs like our other reading tools; what changes the repository is a command, judged, confined, supervised
 * and settled as if it stood in `run_command`. Nothing of the repository runs either way.
 */
export function createGitTool(tool: string, parts: GitToolParts): ToolCode {
  const inner = createRunCommandTool(parts.options, parts.paths);
  return {
    prepare: async (args, context) => {
      const asked: AskedGit = { tool, args, call: parts.build(args) };
      return asked.call.type === "read"
        ? await prepareRead(asked, parts, context)
        : await prepareChange(asked, parts, context);
    },
    stage: async (action, context) =>
      action.command === undefined ? nothingStaged : ((await inner.stage?.(action, context)) ?? nothingStaged),
    run: async (action, staged, context) =>
      action.command === undefined
        ? await asResult(async () => await runRead(action, parts, context))
        : await runChange(action, staged, parts, context),
    probe: async (action, settle, context) => {
      if (inner.probe === undefined) throw new Error(`${tool} does not probe`);
      return await inner.probe(action, settle, context);
    },
  };
}

/** A read leaves nothing to settle. */
const nothingStaged: Staged = { settle: { files: [] }, changes: [], proposal: "", data: undefined };

interface AskedGit {
  readonly tool: string;
  readonly args: JsonObject;
  readonly call: GitCall;
}

async function prepareRead(
  { tool, args, call }: AskedGit,
  { paths }: GitToolParts,
  context: ToolContext,
): Promise<ActionDraft> {
  const directory = await paths.resolve(context.workspace, textOf(args, "working_dir") ?? ".", "read");
  if (directory.kind !== "directory") throw bad("working_dir must be a directory.");
  const named = call.named === undefined ? [] : call.paths;
  const read: PathUse[] = [pathUse(directory)];
  for (const path of named) {
    const place = await namedFile(paths, context, join(directory.real, path), call.named === "maybe-gone");
    if (place !== undefined) read.push(pathUse(place));
  }
  return {
    tool,
    arguments: args,
    effect: "read",
    risk: "low",
    paths: read,
    summary: commandSummary({ type: "argv", argv: ["git", ...call.args] }),
  };
}

/** A file that a call names. What is no longer there, or is a pattern, still has a history. */
async function namedFile(
  paths: WorkspacePaths,
  { workspace }: ToolContext,
  path: string,
  mayBeGone: boolean,
): Promise<ResolvedPath | undefined> {
  try {
    return await paths.resolve(workspace, path, "read");
  } catch (error) {
    if (mayBeGone && error instanceof ToolRefusal && error.code === "path.not-found") return undefined;
    throw error;
  }
}

/** `git` as people read it, in the sandbox that every command has; it says that it changes the workspace. */
async function prepareChange(
  { tool, args, call }: AskedGit,
  { options, paths, risk }: GitToolParts,
  context: ToolContext,
): Promise<ActionDraft> {
  if (context.onlyProposes === true)
    throw new ToolRefusal(
      "rejected",
      "tool.failed",
      `Under review the repository stays as it is: ${tool} is for the user.`,
    );
  const command = {
    argv: ["git", ...call.args],
    cwd: textOf(args, "working_dir") ?? ".",
    timeout_seconds: gitLimits(args).timeoutMs / 1000,
    writes: true,
  };
  const draft = await createRunCommandTool(options, paths).prepare(command, context);
  return { ...draft, tool, arguments: args, risk };
}

async function runRead(action: Action, parts: GitToolParts, context: ToolRunContext): Promise<ToolResult> {
  const { git, options, paths, build } = parts;
  const call = build(action.arguments);
  const place = await resolveAgain(action, context, paths);
  const directory = await StartDirectory.open(place.real);
  if (directory === undefined) return gone(place.shown);
  const limits = gitLimits(action.arguments);
  try {
    const excluded = call.showsContent === true ? protectedPathspecs(options.deniedPatterns) : [];
    const where = { cwd: directory.path, searchPath: searchPathOf(options, context) };
    const tree = await treeOf(git, where, place.real, context);
    if (tree === "elsewhere") return elsewhere;
    // Of a repository that is larger than the workspace, or says that it is, what lies here.
    const here =
      call.paths.length === 0 && tree === "around" && call.args[0] !== "branch" && call.args[0] !== "stash"
        ? ["."]
        : [];
    const pathspecs = [...here, ...excluded];
    const args = pathspecs.length === 0 || call.args.includes("--") ? call.args : [...call.args, "--"];
    const answer = await git.read({ args: [...args, ...pathspecs], ...where, ...limits }, context.signal);
    return readResult(answer, { call, workingDir: place.shown, outputBytes: options.limits.outputBytes });
  } catch (error) {
    return notAsked(error, context);
  } finally {
    await directory.close();
  }
}

async function runChange(
  action: Action,
  staged: Staged | undefined,
  { git, options, paths, build }: GitToolParts,
  context: ToolRunContext,
): Promise<ToolResult> {
  const cwd = action.command?.cwd ?? context.workspace.cwd;
  const where = { cwd, searchPath: searchPathOf(options, context) };
  const call = build(action.arguments);
  let variables: Readonly<Record<string, string>>;
  try {
    if ((await treeOf(git, where, cwd, context)) === "elsewhere") return elsewhere;
    variables = await git.inertVariables(where, context.signal);
  } catch (error) {
    return notAsked(error, context);
  }
  const command = createRunCommandTool({ ...options, environment: { ...options.environment, ...variables } }, paths);
  const ran = await command.run(action, staged, context);
  const report: GitReport = {
    call,
    workingDir: paths.shown(context.workspace, cwd),
    outputBytes: options.limits.outputBytes,
  };
  const head = call.args[0] === "commit" ? await headOf(git, where, context) : undefined;
  return changeResult(ran, report, head);
}

/**
 * Where the working tree is: in the workspace, around it, or somewhere else, as a repository's settings may say.
 * @returns `none`: there is none, and git says so itself
 */
async function treeOf(
  git: Git,
  where: GitWhere,
  cwd: string,
  context: ToolRunContext,
): Promise<"inside" | "around" | "elsewhere" | "none"> {
  const { stdout, exitCode } = await quickly(git, ["rev-parse", "--show-toplevel"], where, context);
  const top = stdout.replace(/\n$/, "");
  if (exitCode !== 0 || top === "") return "none";
  if (context.workspace.roots.some((root) => isWithin(root, top))) return "inside";
  return isWithin(top, cwd) && existsSync(join(top, ".git")) ? "around" : "elsewhere";
}

const elsewhere: ToolResult = {
  status: "failed",
  code: "path.outside",
  content: "The repository's settings put its working tree (core.worktree) outside of the workspace; nothing was done.",
};

async function headOf(git: Git, where: GitWhere, context: ToolRunContext): Promise<string | undefined> {
  const { stdout, exitCode } = await quickly(git, ["rev-parse", "--verify", "HEAD"], where, context);
  return exitCode === 0 ? stdout.trim() : undefined;
}

async function quickly(
  git: Git,
  args: readonly string[],
  where: GitWhere,
  { signal }: ToolRunContext,
): Promise<GitAnswer> {
  return await git.read({ args, ...where, timeoutMs: 5000, maxStdoutBytes: 8192, maxStderrBytes: 8192 }, signal);
}

/** Where programs are looked for, but for what lies in the workspace. */
function searchPathOf({ environment }: ToolsOptions, { workspace }: ToolContext): string {
  return withTrustedPath(environment, [workspace.cwd, ...workspace.roots])["PATH"] ?? "";
}

function gone(shown: string): ToolResult {
  return { status: "failed", code: "path.not-found", content: `${inertText(shown, 200)} is no longer there.` };
}

function notAsked(error: unknown, { signal }: ToolRunContext): ToolResult {
  signal.throwIfAborted();
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  const why = isMissing ? "there is no git on this machine" : inertText(messageOf(error), 200);
  return { status: "failed", code: "tool.failed", content: `git cannot be asked: ${why}.` };
}
