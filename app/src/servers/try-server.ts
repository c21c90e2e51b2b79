import { isolationFor, openSandbox, prepareDataDirectory, type Settings } from "@capstan/host";
import { openServers } from "@capstan/mcp-servers";
import { version } from "../version.ts";

/** What a server said when it was started. */
export interface TestedServer {
  readonly name: string;
  readonly works: boolean;
  readonly tools: readonly { readonly name: string; readonly description: string }[];
  readonly problems: readonly string[];
}

/** Starts one server as a session does, takes its tools, and ends it. @throws AppError `config.invalid` */
export async function tryServer(settings: Settings, name: string): Promise<TestedServer> {
  const data = await prepareDataDirectory(settings.home);
  const sandbox = openSandbox(settings, data);
  const isolation = await isolationFor(settings, sandbox);
  const { source, notices } = await openServers(settings, data, { sandbox, isolation, version, only: name });
  try {
    const tools = (source?.tools() ?? []).map(({ definition }) => definition);
    return {
      name,
      works: !notices.some(({ code }) => code === "mcp.unavailable"),
      tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
      problems: notices.map(({ text }) => text),
    };
  } finally {
    await source?.close();
  }
}
