import type { Effect, Stimulus } from "@capstan/engine";
import { unreachable } from "@capstan/protocol";
import type { Played } from "../play.ts";

/** What the process that runs now was asked to do: a restart forgets what the one before it was doing. */
export function underWay({ moves, effects }: Played): readonly Effect[] {
  const restarted = moves.findLastIndex(({ stimulus }) => stimulus.type === "process-restarted");
  return restarted < 0 ? effects : moves.slice(restarted).flatMap((move) => move.effects);
}

/** Whether the world can come up with a stimulus: a user may say anything at any time, everything else is the outcome of an effect. */
export function hasCause(stimulus: Stimulus, effects: readonly Effect[]): boolean {
  switch (stimulus.type) {
    case "submission":
    case "process-restarted":
    case "tools-changed":
    case "session-closing":
      return true;
    case "hooks-ended":
      return effects.some((effect) => effect.type === "run-hooks" && effect.runId === stimulus.runId);
    case "context-packed":
      return effects.some((effect) => effect.type === "pack-context" && effect.turnId === stimulus.turnId);
    case "model-parts":
    case "model-finished":
    case "model-failed":
      return effects.some(
        (effect) =>
          effect.type === "call-model" && effect.stepId === stimulus.stepId && effect.attempt === stimulus.attempt,
      );
    case "actions-prepared":
      return stimulus.prepared.every(({ callId }) =>
        effects.some(
          (effect) =>
            (effect.type === "prepare-actions" && effect.calls.some((call) => call.callId === callId)) ||
            (effect.type === "stage-tool" && effect.callId === callId),
        ),
      );
    case "tool-staged":
      return effects.some((effect) => effect.type === "stage-tool" && effect.callId === stimulus.callId);
    case "tool-output":
    case "tool-asks":
    case "tool-ended":
    case "effects-seen":
      return effects.some((effect) => effect.type === "run-tool" && effect.callId === stimulus.callId);
    case "calls-probed":
      return effects.some((effect) => effect.type === "probe-calls" && effect.stepId === stimulus.stepId);
    case "files-restored":
      return effects.some((effect) => effect.type === "restore-files" && effect.restoreId === stimulus.restoreId);
    case "timer-fired":
      return effects.some((effect) => effect.type === "start-timer" && effect.timerId === stimulus.timerId);
    default:
      return unreachable(stimulus);
  }
}
