import { type CommandExplanation, explainCommand } from "@capstan/engine";
import { AppError, type JsonObject, toToolCallId } from "@capstan/protocol";
import { prepareActions } from "@capstan/runtime";
import { prepareDataDirectory } from "./data-dir.ts";
import type { Settings } from "./load-settings.ts";
import { openSandbox, sandboxFor } from "./open-sandbox.ts";
import { openTools, redactorOf } from "./open-parts.ts";
import { sha256 } from "./system/sha256.ts";

/**
 * What the gatekeeper would say to a call of `run_command`, for a person who is there to be asked, and why.
 * @param args  as a model would write them
 * @throws {AppError} `usage.invalid` when the call cannot be prepared
 */
export async function explainPolicy(settings: Settings, args: JsonObject): Promise<CommandExplanation> {
  const { loaded, workspace, policy, home } = settings;
  const data = await prepareDataDirectory(home);
  const box = openSandbox(settings, data);
  const tools = openTools(settings, data, redactorOf(settings), box);
  const sandbox = await sandboxFor(settings, box);
  const { mode } = loaded.values.permissions;
  const call = {
    type: "tool-call",
    callId: toToolCallId("explained"),
    name: "run_command",
    arguments: { type: "json", value: args },
  } as const;
  const context = {
    workspace,
    mode,
    sandbox,
    knownFile: () => undefined,
    planSoFar: () => ({ written: null, said: null }),
    signal: new AbortController().signal,
  };
  const [prepared] = await prepareActions([call], tools, context, { digest: sha256, redact: String });
  const action = prepared?.type === "action" ? prepared.action : undefined;
  if (action?.command === undefined) {
    const why = prepared?.type === "refused" ? prepared.outcome.content : "nothing was prepared";
    throw new AppError("usage.invalid", `this command would not even be judged: ${why}`);
  }
  const scene = { policy, mode, workspace, sandbox, face: "cli", now: Date.now() };
  return explainCommand({ ...action, command: action.command }, scene);
}
