import { modeForTools } from "@capstan/engine";
import { type CallExplanation, explainCall } from "@capstan/policy";
import { type Action, AppError, type JsonObject, type SandboxSettings, toToolCallId } from "@capstan/protocol";
import { prepareActions } from "@capstan/runtime";
import { prepareDataDirectory } from "@capstan/settings";
import type { Settings } from "./load-settings.ts";
import { openSandbox, sandboxFor } from "./open-sandbox.ts";
import { openTools, withSpill } from "./open-parts.ts";
import { sha256 } from "./system/system-ports.ts";

/** A call as a model would make it. */
export interface ExplainedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Network hosts it would want besides. */
  readonly hosts: readonly string[];
  /** Frontend the words would have come from. */
  readonly origin: string;
}

export interface PolicyExplanation extends CallExplanation {
  readonly action: Action;
  readonly sandbox: SandboxSettings;
}

/**
 * What the gatekeeper would say to a call, for a user who is there to be asked, and why.
 * @throws {AppError} `usage.invalid` when the call cannot be prepared
 */
export async function explainPolicy(settings: Settings, call: ExplainedCall): Promise<PolicyExplanation> {
  const { loaded, workspace, home } = settings;
  const data = await prepareDataDirectory(home);
  const box = openSandbox(settings, data);
  const sandbox = await sandboxFor(settings, box);
  const { mode } = loaded.values.permissions;
  const tools = openTools(settings, data, { sandbox: box });
  const context = {
    sessionId: null,
    workspace,
    mode: modeForTools(mode, settings.policy),
    sandbox,
    knownFile: () => undefined,
    planSoFar: () => ({ written: null, said: null }),
    signal: new AbortController().signal,
  };
  const callId = toToolCallId("explained");
  const written = {
    type: "tool-call",
    callId,
    name: call.tool,
    arguments: { type: "json", value: call.arguments },
  } as const;
  const [prepared] = await prepareActions([written], tools, context, { digest: sha256, redact: String });
  if (prepared?.type !== "action") {
    const why = prepared?.type === "refused" ? prepared.outcome.content : "nothing was prepared";
    throw new AppError("usage.invalid", `this call would not even be judged: ${why}`);
  }
  const action = withHosts(prepared.action, call.hosts);
  const policy = withSpill(settings.policy, data);
  const situation = { policy, mode, workspace, sandbox, frontend: call.origin, now: Date.now() };
  return { ...explainCall(action, situation), action, sandbox };
}

/** The action with hosts it would reach through the sandbox's proxy. @throws AppError `usage.invalid` where there is no sandbox to open */
function withHosts(action: Action, hosts: readonly string[]): Action {
  if (hosts.length === 0) return action;
  const { command } = action;
  if (command?.confinement.type !== "sandbox") {
    throw new AppError(
      "usage.invalid",
      "`--host` is about commands in the sandbox, and this call would not run in one",
    );
  }
  const confinement = { ...command.confinement, hosts: [...command.confinement.hosts, ...hosts] };
  return { ...action, command: { ...command, confinement } };
}
