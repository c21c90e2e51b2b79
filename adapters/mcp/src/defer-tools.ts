import type { Tool } from "@capstan/ports";

/** The tools of one server, and whether its user said how they come into a request. */
export interface DeferrableTools {
  readonly tools: readonly Tool[];
  readonly deferTools: boolean | null;
}

/** All tools; those of servers of which nothing else is said wait to be found when together they take more than the limit. */
export function withDeferred(servers: readonly DeferrableTools[], limitBytes: number): readonly Tool[] {
  const bytes = servers
    .filter(({ deferTools }) => deferTools === null)
    .flatMap(({ tools }) => tools)
    .reduce((sum, { definition }) => sum + Buffer.byteLength(JSON.stringify(definition)), 0);
  const isFull = bytes > limitBytes;
  return servers.flatMap(({ tools, deferTools }) => ((deferTools ?? isFull) ? tools.map(deferred) : tools));
}

function deferred(tool: Tool): Tool {
  return { ...tool, definition: { ...tool.definition, deferred: true } };
}
