import type { PatternKind } from "@capstan/protocol";
import { toolFamilies } from "./tool-families.ts";

/** Whether the tool a rule names (canonical name, alias of other agents, `mcp__server`, or a `*` glob) is this tool. */
export function matchesTool(ruleTool: string, tool: string): boolean {
  const family = toolsByName.get(fold(ruleTool));
  if (family !== undefined) return family.includes(tool);
  if (ruleTool.includes("*")) return matchesStars(ruleTool.split("*"), tool);
  return ruleTool === tool || (isWholeServer(ruleTool) && tool.startsWith(`${ruleTool}__`));
}

/** What the pattern in `Tool(pattern)` stands for. */
export function patternKind(ruleTool: string): PatternKind {
  const [first] = toolsByName.get(fold(ruleTool)) ?? [];
  return toolFamilies.find(({ tool }) => tool === first)?.pattern ?? "none";
}

/** The built-in tools that a rule's pattern of that kind may be about. */
export function toolsWithPattern(kind: PatternKind): readonly string[] {
  return toolFamilies.flatMap(({ tool, pattern }) => (pattern === kind ? [tool] : []));
}

/** Whether a name means a tool of ours, an MCP server's or, by a `*`, several; other agents have tools that Capstan has not. */
export function foreignToolName(name: string): boolean {
  return !toolsByName.has(fold(name)) && !name.includes("*") && !name.startsWith("mcp__");
}

/** Every name that rules may give a tool of ours. */
export function toolNames(): readonly string[] {
  return [...toolFamilies, ...plannedTools.map(([tool, names]) => ({ tool, names }))].flatMap(({ tool, names }) => [
    tool,
    ...names,
  ]);
}

/** Whether the rule speaks of reading file contents. */
export function speaksOfReading(ruleTool: string): boolean {
  return readers.some((tool) => matchesTool(ruleTool, tool));
}

/** Whether the rule speaks of changing files. */
export function speaksOfWriting(ruleTool: string): boolean {
  return writers.some((tool) => matchesTool(ruleTool, tool));
}

/** Whether the tool changes the content of files. */
export function isWriter(tool: string): boolean {
  return writers.includes(tool);
}

const readers = toolsThatLeave("read");
const writers = toolsThatLeave("written");

function toolsThatLeave(kind: "read" | "written"): readonly string[] {
  return toolFamilies.flatMap(({ tool, contents }) => (contents === kind ? [tool] : []));
}

/** Tools to come: rules about them are kept, and are no mistake. */
const plannedTools: readonly (readonly [string, readonly string[]])[] = [
  ["recall", []],
  ["remember", ["memory"]],
  ["spawn_agent", ["agent", "task"]],
];

// Edit and Write each mean every tool that changes files: a rule about one that left another open would only mislead.
const toolsByName: ReadonlyMap<string, readonly string[]> = groupByName([
  ...toolFamilies.map(({ tool, names }) => [tool, names] as const),
  ...plannedTools,
]);

function groupByName(tools: readonly (readonly [string, readonly string[]])[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const [tool, names] of tools) {
    for (const name of new Set([tool, ...names].map(fold))) groups.set(name, [...(groups.get(name) ?? []), tool]);
  }
  return groups;
}

/** `WebFetch`, `web_fetch` and `webfetch` are one name. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

function isWholeServer(name: string): boolean {
  return name.startsWith("mcp__") && name.split("__").length === 2;
}

function matchesStars(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let position = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return position <= text.length - last.length;
}
