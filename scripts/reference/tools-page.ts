import { loadSettings, openTools } from "@capstan/host";
import type { Tool, ToolCatalog } from "@capstan/ports";
import { isJsonObject, type JsonObject, type ToolDefinition, unreachable } from "@capstan/protocol";
import { markdownTable } from "./markdown-table.ts";

/** @param cwd  any directory that exists; nothing in it is read */
export async function toolsPage(cwd: string): Promise<string> {
  const catalog = await defaultCatalog(cwd);
  const sections = catalog.definitions().map(({ name }) => toolSection(catalog.find(name)));
  return `# Tools

What models may call. \`capstan tools show NAME\` prints the same under the configuration of the moment; numbers in the descriptions are its defaults.
*read* calls run side by side and without asking; *write* and *execute* ones are judged by the rules and the mode; *session* ones are answered by
the engine and run nothing.

${sections.join("\n\n")}
`;
}

function offer(definition: ToolDefinition): string {
  return `${whenOffered(definition)}${definition.deferred === true ? " · once the model has found it" : ""}`;
}

function whenOffered({ offered }: ToolDefinition): string {
  switch (offered) {
    case undefined:
      return "";
    case "unlisted":
      return " · accepted, and not shown to the model";
    case "plan":
      return " · only in plan mode";
    case "not-plan":
      return " · not in plan mode";
    case "sandboxed-in-plan":
      return " · in plan mode only where the sandbox is enforced";
    default:
      return unreachable(offered);
  }
}

function toolSection(tool: Tool | undefined): string {
  if (tool === undefined) throw new Error("the catalog does not find a tool it lists");
  const { definition, aliases, effect } = tool;
  const also = aliases.length === 0 ? "" : ` · also called ${aliases.map((alias) => `\`${alias}\``).join(", ")}`;
  return [
    `## \`${definition.name}\``,
    `*${effect}*${offer(definition)}${also}`,
    definition.description
      .split("\n")
      .map((line) => `> ${line}`.trimEnd())
      .join("\n"),
    markdownTable(["argument", "accepts", "needed", "meaning"], argumentRows(definition.inputSchema)),
  ].join("\n\n");
}

function argumentRows(schema: JsonObject): readonly (readonly string[])[] {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, field]) => {
    const { type, enum: choices, description } = isJsonObject(field) ? field : {};
    const accepts = Array.isArray(choices) ? choices.map(String).join(", ") : typeName(type);
    const needed = Array.isArray(required) && required.includes(name) ? "yes" : "–";
    return [`\`${name}\``, accepts, needed, typeof description === "string" ? description : "–"];
  });
}

function typeName(type: unknown): string {
  return Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "any";
}

/** The catalog of someone who configured nothing. */
export async function defaultCatalog(cwd: string): Promise<ToolCatalog> {
  const settings = await loadSettings({
    env: {},
    cwd,
    sets: [],
    flags: [],
    safeMode: true,
    addDirectories: [],
    yolo: false,
  });
  const { home } = settings;
  return openTools(settings, {
    root: home,
    database: home,
    facts: home,
    configFile: home,
    spill: home,
    backups: home,
    checkpoints: home,
    runs: home,
  });
}
