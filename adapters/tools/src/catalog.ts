import type { Tool, ToolCatalog } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { builtInTools } from "./built-in-tools.ts";
import { requiredFields, schemaFields } from "./arguments/schema-types.ts";
import { createArgumentCheck } from "./check-arguments.ts";
import type { ToolsOptions } from "./options.ts";
import { toolAliases } from "./tool-aliases.ts";

/**
 * The built-in tools, in a stable order (the model's cache depends on it).
 * @param disabled  names or aliases of tools that do not exist for this catalog
 */
export function createToolCatalog(options: ToolsOptions, disabled: readonly string[] = []): ToolCatalog {
  const all = builtInTools(options).map(withAliases);
  const findAny = createFinder(all);
  const refused = new Set(disabled.map((name) => findAny(name)));
  return catalogOf(all.filter((tool) => !refused.has(tool)));
}

function catalogOf(tools: readonly Tool[]): ToolCatalog {
  const definitions = tools.map(({ definition }) => definition);
  const checkArguments = createArgumentCheck((field) =>
    definitions.filter(({ inputSchema }) => isOwnField(inputSchema, field)).map(({ name }) => name),
  );
  return {
    definitions: () => definitions,
    find: createFinder(tools),
    check: (tool, args) => checkArguments(tool.definition, args),
  };
}

/** Fields a tool cannot do without say which tool was meant; optional ones such as `limit` do not. */
function isOwnField(schema: JsonObject, field: string): boolean {
  return Object.hasOwn(schemaFields(schema), field) && requiredFields(schema).includes(field) && field !== "path";
}

function withAliases(tool: Tool): Tool {
  return { ...tool, aliases: [...new Set([...(toolAliases[tool.definition.name] ?? []), ...tool.aliases])] };
}

/** Exact names first, so that case is ignored only where nothing else fits. */
function createFinder(tools: readonly Tool[]): (name: string) => Tool | undefined {
  const exact = new Map<string, Tool>();
  const folded = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.definition.name, ...tool.aliases]) {
      exact.set(name, exact.get(name) ?? tool);
      folded.set(name.toLowerCase(), folded.get(name.toLowerCase()) ?? tool);
    }
  }
  return (name) => exact.get(name) ?? folded.get(name.toLowerCase());
}
