import type { ToolProbeContext } from "@capstan/ports";
import type { Action, Finding, SettleEvidence } from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { probeCommand } from "../run-command/probe/probe-command.ts";
import type { StatusFolder } from "../run-command/runs/status-folder.ts";

/**
 * What became of a call that was to start a command in the background when Capstan was killed. Once it had started, the call has
 * done what it was for: it is never made again, and the command itself ended with Capstan.
 */
export async function probeStart(
  action: Action,
  settle: SettleEvidence,
  context: ToolProbeContext,
  { options, folder }: { readonly options: ToolsOptions; readonly folder: StatusFolder },
): Promise<Finding> {
  const { runId } = settle;
  const { sessionId } = context;
  const status = runId === undefined ? undefined : folder.read(runId);
  const hasStarted = status?.type === "running" || status?.type === "exited";
  const notes = sessionId === null ? [] : ((await options.background?.list(sessionId)) ?? []);
  const note = notes.find((one) => one.runId === runId);
  if (!hasStarted || note === undefined) return await probeCommand(action, settle, context, folder);
  const content = `It was started in the background as ${note.id}, and Capstan was killed since: ${note.end ?? "ended"}. command_output reads what it had written.`;
  const outcome = { type: "done", content, details: { background: note.id } } as const;
  return { type: "ended", outcome, changes: [], observed: [] };
}
