import type { Tool } from "@capstan/ports";
import type { ToolDefinition } from "@capstan/protocol";
import { adaptArguments } from "../arguments/adapt-arguments.ts";
import { searchToolsEntry, searchToolsText } from "../definitions/search-tools.ts";
import type { ToolCode } from "../tool-entry.ts";

/** The tool that finds deferred ones, whose code is loaded when it is first called. */
export function searchTool(deferred: readonly ToolDefinition[]): Tool {
  const { name, aliases, effect, argumentAliases } = searchToolsEntry;
  const text = searchToolsText(deferred);
  let loading: Promise<ToolCode> | undefined;
  const code = (): Promise<ToolCode> => (loading ??= load(deferred));
  return {
    definition: { name, ...text },
    aliases,
    effect,
    adapt: (args) => adaptArguments(argumentAliases, text.inputSchema, args),
    prepare: async (args, context) => await (await code()).prepare(args, context),
    run: async (action, staged, context) => await (await code()).run(action, staged, context),
  };
}

async function load(deferred: readonly ToolDefinition[]): Promise<ToolCode> {
  return (await import("../implementations.ts")).createSearchToolsTool(deferred);
}
