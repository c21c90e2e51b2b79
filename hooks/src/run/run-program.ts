import type { HookRequest, Sandbox } from "@capstan/ports";
import { type HookEvent, type JsonObject, messageOf, unreachable } from "@capstan/protocol";
import { findShell, type ProgramEnd, type ProgramRunner } from "@capstan/tools";
import { dirname } from "node:path";
import type { FoundHook, HookWork } from "../found-hook.ts";
import { maxOutputBytes } from "../limits.ts";
import { type HookWords, refusal, wordsOf } from "./hook-words.ts";

/** What programs of hooks run in. */
export interface ProgramSurroundings {
  readonly runner: ProgramRunner;
  readonly sandbox: Sandbox;
  /** Of the user's own commands: nothing secret. */
  readonly environment: Readonly<Record<string, string>>;
  readonly shell: string | undefined;
}

/** Runs the program of a hook: the user's as theirs, a workspace's in the sandbox. @throws the signal's reason */
export async function runProgramHook(
  hook: FoundHook & { readonly work: Exclude<HookWork, { readonly type: "http" | "function" }> },
  { event, workspace, mode }: HookRequest,
  input: JsonObject,
  { signal, ...around }: ProgramSurroundings & { readonly signal: AbortSignal },
): Promise<HookWords> {
  const { work, timeoutMs, file } = hook;
  // `.claude/settings.json` lies two levels below the project it is about.
  const project = file === null ? workspace.cwd : dirname(dirname(file));
  const environment = {
    ...around.environment,
    CLAUDE_PROJECT_DIR: project,
    CAPSTAN_PROJECT_DIR: project,
    CAPSTAN_HOOK_EVENT: event,
  };
  const program = { ...programOf(work, around.shell), environment, cwd: workspace.cwd };
  const writes = mode === "accept-edits" || mode === "auto";
  const entered =
    file === null
      ? null
      : await around.sandbox.enter({
          ...program,
          workspace,
          confinement: { type: "sandbox", workspace: writes ? "write" : "read", hosts: [], writable: [] },
        });
  const started = entered === null ? program : { ...entered, cwd: "/", isCarrier: true };
  try {
    const end = await around.runner.run({
      ...started,
      input: `${JSON.stringify(input)}\n`,
      timeoutMs,
      signal,
      maxOutputBytes,
    });
    if (end.cause === "aborted") throw signal.reason;
    return wordsOfEnd(event, end, timeoutMs);
  } catch (error) {
    signal.throwIfAborted();
    return { result: "not-run", message: messageOf(error) };
  } finally {
    await entered?.finish();
  }
}

function programOf(
  work: Exclude<HookWork, { readonly type: "http" | "function" }>,
  shell: string | undefined,
): { readonly file: string; readonly args: readonly string[] } {
  switch (work.type) {
    case "shell":
      return { file: findShell(shell), args: ["-c", work.script] };
    case "program":
      return { file: work.argv[0] ?? "", args: work.argv.slice(1) };
    default:
      return unreachable(work);
  }
}

/** 0: it answered. 2: it refused. Anything else is a failure of its own; that it could not be run at all is not one. */
function wordsOfEnd(event: HookEvent, end: ProgramEnd, timeoutMs: number): HookWords {
  const { cause, exitCode, signal, stdout, stderr, isCut } = end;
  if (cause === "timeout") return { result: "timed-out", message: `it had ${timeoutMs / 1000} s` };
  if (exitCode === 2) return refusal(event, stderr);
  const said = stderr.trim() === "" ? "" : `: ${stderr.trim()}`;
  if (exitCode === null) return { result: "not-run", message: `it was ended by ${signal ?? "a signal"}${said}` };
  if (exitCode === 126 || exitCode === 127)
    return { result: "not-run", message: `its program could not be run${said}` };
  if (exitCode !== 0) return { result: "failed", message: `it ended with exit code ${exitCode}${said}` };
  if (isCut) return { result: "failed", message: `it wrote more than ${maxOutputBytes} bytes` };
  return wordsOf(event, stdout);
}
