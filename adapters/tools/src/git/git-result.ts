import { hiddenCharacters, showCodePoint } from "@capstan/patterns";
import type { GitAnswer, ToolResult } from "@capstan/ports";
import type { JsonObject, JsonValue } from "@capstan/protocol";
import { outputRoom } from "../output-room.ts";
import type { GitCall } from "./git-call.ts";

/** What a result says beside what git wrote. */
export interface GitReport {
  readonly call: GitCall;
  readonly workingDir: string;
  readonly outputBytes: number;
}

/** For what stands beside git's own words. */
const reservedBytes = 1024;

/** An answer of git to a question. */
export function readResult(answer: GitAnswer, report: GitReport): ToolResult {
  const stdout = shown(answer.stdout);
  const stderr = shown(answer.stderr);
  const isError = answer.exitCode !== 0 || answer.isTimedOut;
  const { text, isCut } = bounded(isError ? failureText(answer, stdout, stderr) : stdout, report.outputBytes);
  const words = text.trim() === "" ? report.call.empty : text.replace(/\n$/, "");
  const content = answer.isStdoutCut || isCut ? `${words}\n\n... [output truncated]` : words;
  const details = {
    ...common(report),
    content,
    isError,
    exit_code: answer.exitCode,
    timed_out: answer.isTimedOut,
    truncated_stdout: answer.isStdoutCut || isCut,
    truncated_stderr: answer.isStderrCut,
    stdout: bounded(stdout, report.outputBytes).text,
    stderr: bounded(stderr, report.outputBytes).text,
    extras: extrasOf(report.call, answer),
  };
  if (!isError) return { status: "ok", content, details };
  return { status: "failed", code: answer.isTimedOut ? "tool.timeout" : "tool.failed", content, details };
}

/** What became of a command that changed the repository; its output came as one text. */
export function changeResult(ran: ToolResult, report: GitReport, head: string | undefined): ToolResult {
  const [first = "", ...lines] = ran.content.split("\n");
  const exit = /^Exit code: (\d+) /.exec(first);
  if (exit === null) return { ...ran, details: { ...common(report), ...Object(ran.details ?? {}) } };
  const exitCode = Number(exit[1]);
  const stdout = shown(lines.join("\n").replace(/^\[no output\]$/, ""));
  const isError = exitCode !== 0;
  const content = isError
    ? `git ended with code ${exitCode}.\n${stdout}`.trimEnd()
    : stdout.trim() === ""
      ? report.call.empty
      : stdout;
  const details: JsonObject = {
    ...common(report),
    content,
    isError,
    exit_code: exitCode,
    timed_out: false,
    truncated_stdout: field(ran.details, "truncated") === true,
    truncated_stderr: false,
    stdout,
    stderr: "",
    extras: head === undefined || isError ? {} : { commit_hash: head },
  };
  const rest = { ...(ran.changes === undefined ? {} : { changes: ran.changes }), content, details };
  return isError ? { ...rest, status: "failed", code: "tool.failed" } : { ...rest, status: "ok" };
}

function common({ call, workingDir }: GitReport): JsonObject {
  return { git_bin: "git", args: [...call.args], working_dir: workingDir };
}

function extrasOf({ args }: GitCall, { stdout }: GitAnswer): JsonObject {
  if (args[0] !== "status" || !args.includes("--porcelain=v1")) return {};
  // The line of the branch is no change.
  return { clean: stdout.split("\n").every((line) => line === "" || line.startsWith("## ")) };
}

function failureText({ exitCode, isTimedOut }: GitAnswer, stdout: string, stderr: string): string {
  const first = isTimedOut ? "git took too long, and was ended." : `git ended with code ${exitCode}.`;
  return [first, stderr.trimEnd(), stdout.trimEnd()].filter((part) => part !== "").join("\n");
}

/** Names are anybody's: what would not be seen in them, or would move what is seen, is shown by its number. */
function shown(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(hiddenCharacters, (character) => showCodePoint(character));
}

function bounded(text: string, outputBytes: number): { readonly text: string; readonly isCut: boolean } {
  const room = outputRoom(outputBytes, reservedBytes);
  const bytes = Buffer.from(text);
  if (bytes.length <= room) return { text, isCut: false };
  return {
    text: bytes
      .subarray(0, room)
      .toString("utf8")
      .replace(/\ufffd+$/, ""),
    isCut: true,
  };
}

function field(value: JsonValue | undefined, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
