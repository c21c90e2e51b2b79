import { endLeftovers } from "../run-command/probe/end-leftovers.ts";
import { describeEnd } from "../run-command/command-result.ts";
import { readRunId } from "../run-command/runs/run-id.ts";
import { StatusFolder } from "../run-command/runs/status-folder.ts";
import { backgroundMs } from "./limits.ts";
import type { BackgroundNote } from "./note.ts";

/** How a background command ended whose Capstan is gone, in words; what still runs of it is ended. */
export async function endOfLost(
  { runId, digest }: BackgroundNote,
  { statusDirectory }: { readonly statusDirectory: string },
): Promise<string> {
  const origin = readRunId(runId);
  if (origin === undefined) return "what became of it is not known";
  const status = new StatusFolder(statusDirectory).read(runId);
  const leftovers = await endLeftovers(runId, origin, status);
  if (leftovers === "persistent")
    return "Capstan was killed while it ran, and some of its processes could not be ended";
  if (status.type === "exited" && status.digest === digest)
    return `${describeEnd(status, backgroundMs)}, right before Capstan was killed`;
  if (status.type === "missing") return "Capstan was killed before it started";
  return "ended, because Capstan was killed while it ran; nobody saw an exit code";
}
