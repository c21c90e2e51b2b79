import { oneOf } from "@capstan/cli";
import { type Host, openTools, prepareDataDirectory, type Settings } from "@capstan/host";
import { relayModel, relayProviderName, serveMcp } from "@capstan/mcp-serve";
import { AppError, type Role, roles, type ToolDefinition } from "@capstan/protocol";
import type { SettingsFlags } from "../command-line/settings-flags.ts";
import { openServed, serveProgram } from "../serving/serve-program.ts";

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
  const { host, settings } = await openServed(flags, { providers: { [relayProviderName]: relayModel } });
  return await serveProgram({
    frontend: "mcp",
    role,
    serve: async (streams) =>
      await serveMcp({
        ...streams,
        client: host.client,
        workspaceTools: withTools === true ? await workspaceTools(host, settings) : [],
      }),
    close: async () => await host.close(),
  });
}

/** Those that do something in the workspace: what concerns a session, or hands work to another model, is nothing for a client to call. */
async function workspaceTools(host: Host, settings: Settings): Promise<readonly ToolDefinition[]> {
  const known = openTools(settings, await prepareDataDirectory(settings.home));
  return (await host.tools()).filter(({ name, offered }) => {
    const effect = known.find(name)?.effect;
    return offered !== "plan" && effect !== "session" && name !== "spawn_agent";
  });
}
