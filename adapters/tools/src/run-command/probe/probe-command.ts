import type { ToolProbeContext } from "@capstan/ports";
import { type Action, type Finding, type SettleEvidence, unreachable } from "@capstan/protocol";
import { absenceProvesMs, doubtOutputLength } from "../limits.ts";
import { readBootId } from "../runs/boot-id.ts";
import { readRunId, type RunOrigin } from "../runs/run-id.ts";
import type { StatusFolder } from "../runs/status-folder.ts";
import { endLeftovers, type Leftovers } from "./end-leftovers.ts";
import { recoveredFinding } from "./recovered-finding.ts";

/**
 * Finds out what became of a command whose Capstan died, and ends what still runs of it. An exit that was noted is an end;
 * without any note it was not started; all else is in doubt, because nobody saw its end.
 */
export async function probeCommand(
  action: Action,
  { runId }: SettleEvidence,
  context: ToolProbeContext,
  folder: StatusFolder,
): Promise<Finding> {
  context.signal.throwIfAborted();
  const origin = runId === undefined ? undefined : readRunId(runId);
  if (runId === undefined || origin === undefined || action.command === undefined) {
    return inDoubt("Nothing was noted by which its processes could be found.", "unknown", context);
  }
  const status = folder.read(runId);
  const leftovers = await endLeftovers(runId, origin, status);
  if ("digest" in status && status.digest !== action.digest) {
    return inDoubt("What was noted of it belongs to another command.", leftovers, context);
  }
  switch (status.type) {
    case "exited":
      return recoveredFinding(status, action.command.timeoutMs, context.output, isOfThisBoot(origin));
    case "running":
      return inDoubt("It was running when Capstan was killed, and nobody saw its end.", leftovers, context);
    case "starting":
      return inDoubt("Capstan was killed in the moment of starting it.", leftovers, context);
    case "missing":
      return provesAbsence(origin)
        ? { type: "untouched", text: "Capstan was killed before it started the command. Nothing of it has run." }
        : inDoubt("The note of whether it was started can have been lost since.", leftovers, context);
    case "lost":
      return inDoubt("The folder with the notes of what was started is gone.", leftovers, context);
    case "unreadable":
      return inDoubt("The note of how far it came is damaged.", leftovers, context);
    default:
      return unreachable(status);
  }
}

/** A power cut can take what was not flushed, and old notes are removed; otherwise the note would be there. */
function provesAbsence(origin: RunOrigin): boolean {
  const ageMs = Date.now() - origin.mintedAtMs;
  return isOfThisBoot(origin) && ageMs >= 0 && ageMs < absenceProvesMs;
}

function isOfThisBoot({ bootId }: RunOrigin): boolean {
  return bootId !== undefined && bootId === readBootId();
}

function inDoubt(known: string, leftovers: Leftovers, { output }: ToolProbeContext): Finding {
  const shown = output.trimEnd().slice(-doubtOutputLength);
  const reported = shown === "" ? "It had shown no output." : `The output it had shown ends with:\n${shown}`;
  return { type: "in-doubt", text: `${known} ${aboutLeftovers[leftovers]} ${reported}` };
}

const aboutLeftovers: Readonly<Record<Leftovers, string>> = {
  none: "Nothing of it is running now.",
  ended: "What was still running of it has been ended.",
  persistent: "Some of its processes could not be ended.",
  unknown: "Whether something of it is still running could not be found out.",
};
