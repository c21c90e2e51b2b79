import { oneOf } from "@capstan/cli";
import { createHost, type Host, openTools, prepareDataDirectory, type Settings } from "@capstan/host";
import { relayModel, relayProviderName, serveMcp } from "@capstan/mcp-serve";
import { AppError, type CancelReason, exitCodes, type Role, roles, type ToolDefinition } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { localOrigin } from "../asking/local-origin.ts";
import { isYolo, type SettingsFlags, settingsFromFlags } from "../command-line/settings-flags.ts";
import { reportProblem } from "../report-error.ts";
import { onStopSignal } from "../terminal.ts";
import { version } from "../version.ts";

export interface ServeFlags extends Omit<SettingsFlags, "tools"> {
  readonly role: string;
  readonly tools?: boolean;
}

/** `capstan mcp serve`: serves the engine to the MCP client that started this process. Standard output carries the protocol and nothing else. */
export async function serveToClient({ tools: withTools, ...flags }: ServeFlags): Promise<number> {
  const role = oneOf<Role>(roles, flags.role, "--role");
  if (process.stdin.isTTY)
    throw new AppError(
      "usage.invalid",
      "`capstan mcp serve` speaks with an MCP client, and standard input is a terminal",
      {
        hint: "Let the client start it; docs/mcp.md shows how.",
      },
    );
  const settings = await settingsFromFlags(flags);
  for (const warning of settings.loaded.warnings) warn(warning);
  for (const { text } of settings.trust.notices) warn(text);
  if (isYolo(flags)) warn("WARNING: --yolo: every tool call that no rule denies or asks for runs without asking.");
  const host = await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "ask",
    version,
    isShared: true,
    providers: { [relayProviderName]: relayModel },
    loadSettings: (cwd) => settingsFromFlags({ ...flags, cwd }),
    report: reportProblem,
  });
  const stopping = new AbortController();
  let stopped: CancelReason | undefined;
  const stopListening = onStopSignal((reason) => {
    stopped = reason;
    stopping.abort();
  });
  const { user } = localOrigin();
  try {
    await serveMcp({
      client: host.client,
      input: process.stdin,
      output: process.stdout,
      identity: { frontend: "mcp", role, ...(user === undefined ? {} : { user }) },
      version,
      workspaceTools: withTools === true ? await workspaceTools(host, settings) : [],
      signal: stopping.signal,
    });
  } finally {
    await host.close();
    stopListening();
  }
  return stopped === undefined || !process.stdout.writable ? 0 : exitCodes[stopped];
}

/** Those that do something in the workspace: what concerns a session, or hands work to another model, is nothing for a client to call. */
async function workspaceTools(host: Host, settings: Settings): Promise<readonly ToolDefinition[]> {
  const known = openTools(settings, await prepareDataDirectory(settings.home));
  return (await host.tools()).filter(({ name, offered }) => {
    const effect = known.find(name)?.effect;
    return offered !== "plan" && effect !== "session" && name !== "spawn_agent";
  });
}

/** What a client's developer reads beside its own log. */
function warn(text: string): void {
  process.stderr.write(`capstan: ${inertText(text)}\n`);
}
