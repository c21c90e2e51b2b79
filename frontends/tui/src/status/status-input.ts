import type { JsonObject } from "@capstan/protocol";
import { itemsOf, type Status, type Transcript } from "@capstan/view";

/** What a program for a status line is given: the fields that such programs know already, and those of our own. */
export function statusInput(
  transcript: Transcript,
  status: Status,
  { sessionId, cwd, version }: { readonly sessionId: string; readonly cwd: string; readonly version: string },
): JsonObject {
  const { config, spending, session } = transcript;
  const { usage, costUsd } = spending;
  const share = status.context?.share ?? null;
  const folder = session?.workspace.cwd ?? cwd;
  const { added, removed } = changedLines(transcript);
  return {
    hook_event_name: "Status",
    session_id: sessionId,
    transcript_path: "",
    cwd: folder,
    version,
    model: { id: config?.model.id ?? "", display_name: status.model ?? "" },
    workspace: { current_dir: folder, project_dir: folder },
    output_style: { name: "default" },
    cost: { total_cost_usd: costUsd ?? 0, total_lines_added: added, total_lines_removed: removed },
    context_window: {
      total_input_tokens: usage.inputTokens,
      total_output_tokens: usage.outputTokens,
      context_window_size: status.context?.windowTokens ?? 0,
      used_percentage: share === null ? 0 : Math.round(share * 100),
      remaining_percentage: share === null ? 100 : 100 - Math.round(share * 100),
    },
    mode: status.mode,
    activity: status.activity.type,
    queued: status.queued,
    waiting: status.waiting,
  };
}

/** By the calls that are shown. */
function changedLines({ cells }: Transcript): { readonly added: number; readonly removed: number } {
  let [added, removed] = [0, 0];
  for (const cell of itemsOf(cells, 0)) {
    if (cell.type !== "call" || cell.state.type !== "ended") continue;
    for (const { addedLines, removedLines } of cell.state.end.changes) {
      added += addedLines;
      removed += removedLines;
    }
  }
  return { added, removed };
}
