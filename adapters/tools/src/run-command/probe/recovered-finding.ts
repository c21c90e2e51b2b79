import { type Finding, unreachable } from "@capstan/protocol";
import { describeEnd } from "../command-result.ts";
import { recoveredOutputLength } from "../limits.ts";
import type { RunEnd } from "../runs/run-status.ts";

/**
 * How a command ended that nobody could report any more, as its result would have reported it.
 * @param output  the end of what people saw of it
 * @param sameBoot  the machine has been running since
 */
export function recoveredFinding(end: RunEnd, timeoutMs: number, output: string, sameBoot: boolean): Finding {
  const shown = output.slice(-recoveredOutputLength).replace(/^[\udc00-\udfff]/, "");
  const content = [
    firstLine(end, timeoutMs),
    `[Capstan was killed right after this. ${sameBoot ? "" : restarted}What follows is the end of the output that was shown before; there may have been more.]`,
    shown === "" ? "[no output was shown]" : shown,
  ].join("\n");
  const { exitCode, signal, durationMs } = end;
  const reported = { content, details: { exitCode, signal, durationMs } };
  return { type: "ended", outcome: outcomeOf(end.cause, reported), changes: [], observed: [] };
}

type Outcome = Extract<Finding, { type: "ended" }>["outcome"];

function outcomeOf(cause: RunEnd["cause"], reported: Pick<Outcome, "content" | "details">): Outcome {
  switch (cause) {
    case "exited":
      return { type: "done", ...reported };
    case "timeout":
      return { type: "failed", code: "tool.timeout", ...reported };
    case "aborted":
      return { type: "failed", code: "tool.failed", ...reported };
    default:
      return unreachable(cause);
  }
}

function firstLine(end: RunEnd, timeoutMs: number): string {
  const line = describeEnd(end, timeoutMs);
  return end.cause === "aborted" ? `It was cancelled, and ended. ${line}` : line;
}

const restarted = "The machine was restarted since, so that the last of what it wrote may be lost. ";
