import type { McpReader } from "@capstan/mcp";
import type { ContextSource } from "@capstan/ports";

/**
 * What a source says of a workspace, and what a turn's words name of servers. Where there are none, nothing is loaded.
 * @param limitBytes  of all that one turn names; what does not fit is left out, which is said, and what comes after it may fit
 */
export function withServers(source: ContextSource, reader: McpReader | null, limitBytes: number): ContextSource {
  if (reader === null) return source;
  return {
    async collect(workspace, signal, turn) {
      const parts = await source.collect(workspace, signal, turn);
      const { namedParts } = await import("./named-parts.ts");
      return [...parts, ...(await namedParts(turn.words, reader, limitBytes, signal))];
    },
  };
}
