import type { Tool, ToolResult } from "@capstan/ports";
import { type JsonObject, messageOf } from "@capstan/protocol";
import { maxSummaryLength } from "../limits.ts";
import type { ServerLink } from "../link/server-link.ts";
import { ResultMedia } from "../result-media.ts";
import { markedText } from "../result-text.ts";
import { shownLine } from "../shown-line.ts";
import { listResources, readResource } from "./read-server.ts";

/** Its name after the server's. */
const readingToolName = "read_mcp_resource";

/**
 * The tool by which a model reads what a server has to read. Like every call of a server it asks: an address
 * that is asked for tells the server something.
 * @param taken  the server's own names of its tools
 */
export function readingTool(link: ServerLink, limitBytes: number, taken: readonly string[]): readonly Tool[] {
  const { name: server, enabledTools, disabledTools } = link.server;
  if (enabledTools?.includes(readingToolName) === false || disabledTools.includes(readingToolName)) return [];
  const name = `mcp__${server}__${readingToolName}`;
  if (taken.includes(readingToolName) || name.length > 64) return [];
  const tool: Tool = {
    definition: {
      name,
      description: `Read a resource of the MCP server ${server}. Without \`uri\`: list them.`,
      inputSchema: {
        type: "object",
        properties: { uri: { type: "string", minLength: 1, maxLength: 2000 } },
        additionalProperties: false,
      },
      offered: "not-plan",
    },
    aliases: [],
    effect: "execute",
    prepare: async (args) =>
      await Promise.resolve({
        tool: name,
        arguments: structuredClone(args),
        effect: "execute",
        risk: "medium",
        paths: [],
        summary: shownLine(`${name} ${typeof args["uri"] === "string" ? args["uri"] : "(list)"}`, maxSummaryLength),
      }),
    run: async ({ arguments: args }, _staged, { signal }) => await runReading(link, args, limitBytes, signal),
  };
  return [tool];
}

async function runReading(
  link: ServerLink,
  { uri }: JsonObject,
  limitBytes: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { name, toolTimeoutMs } = link.server;
  const within = AbortSignal.any([signal, AbortSignal.timeout(toolTimeoutMs)]);
  const media = new ResultMedia(`picture of ${name}`);
  try {
    const text =
      typeof uri === "string" ? await readResource(link, uri, media, within) : await listResources(link, within);
    const content = markedText(name, text, limitBytes);
    return { status: "ok", content, ...(media.taken.length === 0 ? {} : { media: media.taken }) };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "failed", code: "tool.failed", content: `The MCP server ${name} failed: ${messageOf(error)}` };
  }
}
