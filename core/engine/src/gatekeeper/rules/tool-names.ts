/** What a rule's pattern means for a tool: a command, a path, or nothing. */
export type PatternKind = "command" | "path" | "none";

/** Whether the tool a rule names (canonical name, alias of other agents, `mcp__server`, or a `*` glob) is this tool. */
export function matchesTool(ruleTool: string, tool: string): boolean {
  const family = toolFamilies.get(fold(ruleTool));
  if (family !== undefined) return family.includes(tool);
  if (ruleTool.includes("*")) return matchesStars(ruleTool.split("*"), tool);
  return ruleTool === tool || (isWholeServer(ruleTool) && tool.startsWith(`${ruleTool}__`));
}

/** What the pattern in `Tool(pattern)` stands for. */
export function patternKind(ruleTool: string): PatternKind {
  const [first] = toolFamilies.get(fold(ruleTool)) ?? [];
  if (first === "run_command") return "command";
  return first !== undefined && fileTools.has(first) ? "path" : "none";
}

/** Whether a name means a tool of ours, an MCP server's or, by a `*`, several; other agents have tools that Capstan has not. */
export function foreignToolName(name: string): boolean {
  return !toolFamilies.has(fold(name)) && !name.includes("*") && !name.startsWith("mcp__");
}

/** Whether the rule speaks of reading file contents. */
export function speaksOfReading(ruleTool: string): boolean {
  return matchesTool(ruleTool, "read_file") || matchesTool(ruleTool, "search");
}

/** Whether the rule speaks of changing files. */
export function speaksOfWriting(ruleTool: string): boolean {
  return writers.some((tool) => matchesTool(ruleTool, tool));
}

const writers: readonly string[] = ["write_file", "edit_file", "apply_patch"];
const fileTools: ReadonlySet<string> = new Set(["read_file", "glob", "search", ...writers]);

// Edit and Write each mean every tool that changes files: a rule about one that left another open would only mislead.
const toolFamilies: ReadonlyMap<string, readonly string[]> = new Map([
  ...families(["run_command"], "run_command run bash shell sh pwsh powershell terminal exec"),
  ...families(["read_file"], "read_file read view"),
  ...families(writers, "edit write multi_edit patch"),
  ...families(["write_file"], "write_file create_file"),
  ...families(["edit_file"], "edit_file str_replace"),
  ...families(["apply_patch"], "apply_patch"),
  ...families(["glob"], "glob"),
  ...families(["search"], "search grep rg ripgrep ug ugrep"),
  ...families(["web_fetch"], "web_fetch fetch"),
  ...families(["recall"], "recall"),
  ...families(["remember"], "remember memory"),
  ...families(["ask_user"], "ask_user ask_user_question"),
  ...families(["update_plan"], "update_plan todo_write"),
  ...families(["exit_plan_mode"], "exit_plan_mode"),
  ...families(["spawn_agent"], "spawn_agent agent task"),
]);

function families(tools: readonly string[], names: string): readonly (readonly [string, readonly string[]])[] {
  return names.split(" ").map((name) => [fold(name), tools] as const);
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
