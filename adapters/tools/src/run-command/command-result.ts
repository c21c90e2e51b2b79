import type { ToolResult } from "@capstan/ports";
import { signalOfCode } from "./confine/sandbox-notes.ts";
import type { CapturedOutput } from "./output-capture.ts";
import type { ProcessEnd } from "./run-process.ts";
import type { RunEnd } from "./runs/run-status.ts";

/**
 * The result of a command that was started: how it ended, then what it wrote.
 * @param isCarried  it ran in a sandbox, which ends what was left by itself, and reports an end by a signal as a number
 */
export function commandResult(
  end: ProcessEnd,
  output: CapturedOutput,
  timeoutMs: number,
  isCarried: boolean,
): ToolResult {
  const like = isCarried && end.cause === "exited" ? signalOfCode(end.exitCode) : undefined;
  const first = `${describeEnd(end, timeoutMs)}${like === undefined ? "" : `, as after the signal ${like}`}`;
  const lines = [first, output.text === "" ? "[no output]" : output.text];
  if (end.leftovers && end.cause === "exited" && !isCarried)
    lines.push("[Processes left in the background were ended.]");
  const content = lines.join("\n");
  const details = {
    exitCode: end.exitCode,
    signal: end.signal,
    durationMs: end.durationMs,
    stdoutBytes: output.stdoutBytes,
    stderrBytes: output.stderrBytes,
    truncated: output.truncated,
    spillFile: output.spillPath,
  };
  return end.cause === "timeout"
    ? { status: "failed", code: "tool.timeout", content, details }
    : { status: "ok", content, details };
}

/** The first line of a result. */
export function describeEnd(end: RunEnd, timeoutMs: number): string {
  const seconds = `${(end.durationMs / 1000).toFixed(1)} s`;
  if (end.cause === "timeout") {
    return `Timed out after ${timeoutMs / 1000} s and was ended. Raise timeout_seconds if it was right. Output so far:`;
  }
  if (end.exitCode === null) return `Ended by signal ${end.signal ?? "unknown"} (${seconds})`;
  return `Exit code: ${end.exitCode} (${seconds})`;
}
