import type { RoutedCall, Tool } from "@capstan/ports";
import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { findHostileValue } from "../arguments/find-hostile-value.ts";
import { schemaFields } from "../arguments/schema-types.ts";
import { agentCall } from "./agent-call.ts";
import { withoutTalk } from "./extra-fields.ts";
import { foreignTools } from "./foreign-tools.ts";
import { patchInCommand } from "./patch-in-command.ts";
import { plainName } from "./plain-name.ts";

/**
 * Finds the tool that a call means, whatever its model calls it, and its arguments as that tool takes them. A tool that has the very name is
 * meant by it; what other agents' tools of that name do comes next, then other names of ours.
 * @param find  tools by canonical name or alias
 */
export function routeCall(written: string, args: JsonObject, find: (name: string) => Tool | undefined): RoutedCall {
  const name = find(written) === undefined ? plainName(written) : written;
  const named = find(name);
  // Deep or poisonous values are the schema check's to refuse, before anybody walks into them.
  if (findHostileValue(args) !== undefined)
    return named === undefined ? { type: "unknown" } : { type: "routed", tool: named, arguments: args, notes: [] };
  const toAgent = named === undefined ? routeToAgent(name, args, find) : undefined;
  if (toAgent !== undefined) return toAgent;
  const foreign = named?.definition.name === name ? undefined : foreignTools.get(name.toLowerCase());
  const converted = foreign?.convert(unpacked(args, named), name);
  if (converted?.type === "wrong") return { type: "wrong", problem: `${name}: ${converted.problem}` };
  const tool = converted === undefined ? named : find(converted.tool);
  if (tool === undefined) return { type: "unknown" };
  return settled(tool, converted?.arguments ?? unpacked(args, tool), find);
}

/** A tool that is named after an agent calls it, where agents can be called. */
function routeToAgent(
  name: string,
  args: JsonObject,
  find: (name: string) => Tool | undefined,
): RoutedCall | undefined {
  const ofAgent = agentCall(name, unpacked(args, undefined));
  const spawning = ofAgent === undefined ? undefined : find("spawn_agent");
  return ofAgent === undefined || spawning === undefined ? undefined : settled(spawning, ofAgent, find);
}

function settled(tool: Tool, args: JsonObject, find: (name: string) => Tool | undefined): RoutedCall {
  const adapted = tool.adapt?.(args) ?? args;
  const patch = tool.definition.name === "run_command" ? patchInCommand(adapted) : undefined;
  const patcher = patch === undefined ? undefined : find("apply_patch");
  if (patch !== undefined && patcher !== undefined)
    return { type: "routed", tool: patcher, arguments: { patch }, notes: [] };
  const { arguments: plain, left } = withoutTalk(tool.accepts ?? tool.definition.inputSchema, adapted);
  const notes = left.length === 0 ? [] : [`${tool.definition.name} has no ${left.join(", ")}: left out.`];
  return { type: "routed", tool, arguments: plain, notes };
}

/** Arguments that came packed up as the only field, also as JSON text. */
function unpacked(args: JsonObject, tool: Tool | undefined): JsonObject {
  const [entry, ...more] = Object.entries(args);
  if (entry === undefined || more.length > 0 || !wrappers.includes(entry[0])) return args;
  if (tool !== undefined && Object.hasOwn(schemaFields(tool.definition.inputSchema), entry[0])) return args;
  const inner = typeof entry[1] === "string" ? fromJson(entry[1]) : entry[1];
  return isJsonObject(inner) ? inner : args;
}

const wrappers: readonly string[] = ["arguments", "args", "parameters", "params", "input", "kwargs", "tool_input"];

function fromJson(text: string): JsonValue | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const value: JsonValue = JSON.parse(text);
    return findHostileValue(value) === undefined ? value : undefined;
  } catch {
    return undefined; // a text like any other
  }
}
