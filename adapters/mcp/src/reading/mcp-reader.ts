import { readingMs } from "../limits.ts";
import type { ServerLink } from "../link/server-link.ts";
import { ResultMedia } from "../result-media.ts";
import { listPrompts, listResources, readPrompt, readResource } from "./read-server.ts";

/** What servers have to read, for a user who names it. */
export interface McpReader {
  /** Whether there is a server of this name that works. */
  has(server: string): boolean;
  /** @throws Error in words for people */
  resource(server: string, uri: string, signal: AbortSignal): Promise<string>;
  /** @throws Error in words for people */
  prompt(server: string, name: string, given: string, signal: AbortSignal): Promise<string>;
  /** For people: what there is, a line each. @throws Error in words for people */
  list(
    server: string,
    signal: AbortSignal,
  ): Promise<{ readonly resources: readonly string[]; readonly prompts: readonly string[] }>;
}

/** Reads from the servers of a session, each within its time. */
export function mcpReader(links: readonly ServerLink[]): McpReader {
  const byName = new Map(links.map((link) => [link.server.name, link]));
  const linkTo = (server: string): ServerLink => {
    const link = byName.get(server);
    if (link === undefined) throw new Error(`there is no MCP server ${JSON.stringify(server)}`);
    return link;
  };
  return {
    has: (server) => byName.has(server),
    resource: async (server, uri, signal) =>
      await readResource(linkTo(server), uri, new ResultMedia(`picture of ${server}`), within(signal)),
    prompt: async (server, name, given, signal) => await readPrompt(linkTo(server), name, given, within(signal)),
    async list(server, signal) {
      const link = linkTo(server);
      const has = await link.ask(async ({ hasResources }) => await Promise.resolve(hasResources));
      const resources = has ? (await listResources(link, within(signal))).split("\n") : [];
      const prompts = await listPrompts(link, within(signal));
      return {
        resources,
        prompts: prompts.map(({ name, arguments: args = [] }) =>
          [
            `/mcp__${server}__${name}`,
            ...args.map(({ name: arg, required }) => (required === true ? `<${arg}>` : `[${arg}]`)),
          ].join(" "),
        ),
      };
    },
  };
}

function within(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(readingMs)]);
}
