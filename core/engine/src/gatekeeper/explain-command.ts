import type { CommandForm, Judgement, PermissionMode, Policy, Workspace } from "@capstan/protocol";
import { judgeCommand } from "./judge-command.ts";
import type { SegmentJudgement } from "./judge-segment.ts";
import { quoteText } from "./quote-for-people.ts";
import type { Scene } from "./scene.ts";

/** What decided about one command of a script, and why. */
export interface ExplainedSegment {
  readonly words: readonly string[];
  readonly decidedBy: "rule" | "reading-list" | "mode";
  readonly judgement: Judgement;
}

/** How a command's judgement came about, as plain data. */
export interface CommandExplanation {
  readonly form: CommandForm;
  /** What the script has that was not understood, as the end of "the script has …"; `undefined`: it was understood whole. */
  readonly notUnderstood?: string;
  /** Empty when the script was not understood. */
  readonly segments: readonly ExplainedSegment[];
  readonly judgement: Judgement;
}

/**
 * Judges a command as `run_command` would have it judged in the workspace's working directory.
 * @param command  a script, or an argument vector
 */
export function explainCommand(
  command: string | readonly string[],
  policy: Policy,
  mode: PermissionMode,
  workspace: Workspace,
): CommandExplanation {
  const form: CommandForm =
    typeof command === "string" ? { type: "script", script: command, shell: "bash" } : { type: "argv", argv: command };
  const scene: Scene = { policy, mode, workspace };
  const explain = (explained: CommandForm): ReturnType<typeof judgeCommand> =>
    judgeCommand(
      {
        tool: "run_command",
        effect: "execute",
        risk: "high",
        paths: [],
        command: { form: explained, cwd: workspace.cwd, timeoutMs: 0 },
      },
      scene,
    );
  const { lexed, segments, judgement } = explain(form);
  const alone = (segment: SegmentJudgement): Judgement => explain({ type: "argv", argv: segment.words }).judgement;
  return {
    form,
    ...(lexed.type === "opaque" ? { notUnderstood: lexed.why } : {}),
    segments: segments.map((segment) => explainSegment(segment, alone)),
    judgement,
  };
}

function explainSegment(segment: SegmentJudgement, alone: (segment: SegmentJudgement) => Judgement): ExplainedSegment {
  const { words, judgement } = segment;
  if (judgement !== undefined) {
    return { words, decidedBy: judgement.rule === undefined ? "reading-list" : "rule", judgement };
  }
  const byMode = alone(segment);
  if (byMode.verdict !== "allow" || segment.safety.safe) return { words, decidedBy: "mode", judgement: byMode };
  // Alone it would pass as reading; beside a command that changes the shell it does not.
  const reason = `A person must agree: here ${quoteText(words[0] ?? "")} is not certain to only read (${segment.safety.why}).`;
  return { words, decidedBy: "mode", judgement: { verdict: "ask", reason } };
}
