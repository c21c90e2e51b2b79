import { oneOf } from "@capstan/cli";
import { type Host, openTools, prepareDataDirectory, type Settings } from "@capstan/host";
import { relayModel, relayModelName, relayProviderName, serveMcp } from "@capstan/mcp-serve";
import { AppError, type Role, roles, type ToolDefinition } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { openServed, serveProgram, warn } from "../serving/serve-program.ts";

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
  const { host, settings, hasModel } = await openFor(flags, withTools === true);
  return await serveProgram({
    frontend: "mcp",
    role,
    serve: async (streams) =>
      await serveMcp({
        ...streams,
        client: host.client,
        hasModel,
        workspaceTools: withTools === true ? await workspaceTools(host, settings) : [],
      }),
    close: async () => await host.close(),
  });
}

type Opened = Awaited<ReturnType<typeof openServed>> & { readonly hasModel: boolean };

/** Tools of the workspace ask no model, so that none has to be reached for them. */
async function openFor(flags: SettingsFlags, withTools: boolean): Promise<Opened> {
  const providers = { [relayProviderName]: relayModel };
  if (!withTools) return { ...(await openServed(flags, { providers })), hasModel: true };
  try {
    return { ...(await openServed(flags, { providers, beginsSession: true })), hasModel: true };
  } catch (error) {
    if (!(error instanceof AppError) || !lacksModel.has(error.code)) throw error;
    warn(`${error.message}: the workspace's tools are offered, and no sessions with a model`);
    return { ...(await openServed({ ...flags, model: relayModelName }, { providers })), hasModel: false };
  }
}

const lacksModel: ReadonlySet<string> = new Set(["model.none", "model.unknown", "provider.auth"]);

/** Those that do something in the workspace: what concerns a session, or hands work to another model, is nothing for a client to call. */
async function workspaceTools(host: Host, settings: Settings): Promise<readonly ToolDefinition[]> {
  const known = openTools(settings, await prepareDataDirectory(settings.home));
  return (await host.tools()).filter(({ name, offered }) => {
    const effect = known.find(name)?.effect;
    return offered !== "plan" && effect !== "session" && name !== "spawn_agent";
  });
}
