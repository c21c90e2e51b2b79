import { canonicalJson, type JsonObject, type JsonValue, type ToolDefinition } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { objectOf, parseJson } from "../../shared/json-fields.ts";
import type { WrittenCall } from "./json-calls.ts";

/** A call of a tool that was offered. */
export interface OfferedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The model's own id of the call. */
  readonly id?: string;
}

/**
 * The written calls as calls of the offered tools, none twice; `undefined` when one of them names a tool that was not offered:
 * then the text was about something else.
 */
export function offeredCalls(
  written: readonly WrittenCall[],
  tools: readonly ToolDefinition[],
): readonly OfferedCall[] | undefined {
  const calls = new Map<string, OfferedCall>();
  for (const call of written) {
    const tool = toolOf(call.name, tools);
    if (tool === undefined) return undefined;
    const offered = asWrite({ name: tool.name, arguments: adapted(call, tool) }, tools);
    const { id } = call;
    calls.set(canonicalJson([offered.name, offered.arguments]), id === undefined ? offered : { ...offered, id });
  }
  return calls.size === 0 || calls.size > limits.textCalls ? undefined : [...calls.values()];
}

/** What other agents' prompts taught weak models to call these tools. */
const otherNames: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    read_file: ["file_read", "read", "view", "view_file", "open_file", "cat"],
    write_file: ["file_write", "write", "create_file", "file_create"],
    edit_file: ["file_edit", "edit", "str_replace", "replace_in_file"],
    run_command: ["shell", "bash", "sh", "run", "exec", "terminal", "execute_command", "run_shell_command"],
    glob: ["file_glob", "find_files", "list_files"],
    search: ["grep", "rg", "file_search", "search_files", "grep_search"],
  }),
);

/** The tool a name means: its own, or one that differs in prefix, case or hyphens, or another agent's. */
function toolOf(written: string, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
  const name = written.replace(/^(?:functions?|tools?)[.:/]/, "");
  const exact = tools.find((tool) => tool.name === written) ?? tools.find((tool) => tool.name === name);
  if (exact !== undefined) return exact;
  const wanted = plain(name);
  return tools.find(
    (tool) => plain(tool.name) === wanted || (otherNames.get(tool.name) ?? []).some((other) => plain(other) === wanted),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** What models call an argument, and what the tool does. */
const otherArguments: Readonly<Record<string, readonly string[]>> = {
  path: ["file", "filepath", "file_path", "filePath", "filename"],
  old_string: ["old_text", "old_str", "oldText"],
  new_string: ["new_text", "new_str", "newText"],
  command: ["cmd"],
  content: ["text", "contents", "file_text"],
  pattern: ["query", "regex"],
};

function adapted(call: WrittenCall, tool: ToolDefinition): JsonObject {
  const properties = objectOf(tool.inputSchema["properties"]) ?? {};
  const entries = Object.entries(call.arguments).map(([name, value]): readonly [string, JsonValue] => {
    const own = ownName(name, call.arguments, properties);
    return [own, call.untyped === true ? typed(value, objectOf(properties[own])) : value];
  });
  return Object.fromEntries(entries);
}

function ownName(name: string, args: JsonObject, properties: JsonObject): string {
  if (Object.hasOwn(properties, name)) return name;
  const meant = Object.keys(otherArguments).find((own) => otherArguments[own]?.includes(name));
  return meant !== undefined && Object.hasOwn(properties, meant) && !Object.hasOwn(args, meant) ? meant : name;
}

/** An argument from between tags: text where the schema wants text, else the JSON it may be. */
function typed(value: JsonValue, schema: JsonObject | undefined): JsonValue {
  const types = [schema?.["type"] ?? []].flat();
  if (typeof value !== "string" || types.includes("string")) return value;
  return parseJson(value.trim()) ?? value;
}

/** To replace nothing by something is how some models write a new file. */
function asWrite(call: OfferedCall, tools: readonly ToolDefinition[]): OfferedCall {
  const { path, old_string: before, new_string: content } = call.arguments;
  const empty = call.name === "edit_file" && before === "" && typeof path === "string" && typeof content === "string";
  if (!empty || tools.every((tool) => tool.name !== "write_file")) return call;
  return { name: "write_file", arguments: { path, content } };
}
