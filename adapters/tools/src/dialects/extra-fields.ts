import type { JsonObject } from "@capstan/protocol";
import { schemaFields } from "../arguments/schema-types.ts";

/**
 * Leaves out fields that only talk about a call. What could change its meaning stays, for the schema to refuse.
 * @returns the arguments, and the names of what was left out
 */
export function withoutTalk(
  schema: JsonObject,
  args: JsonObject,
): { readonly arguments: JsonObject; readonly left: readonly string[] } {
  // A schema that takes any field takes these.
  if (schema["additionalProperties"] !== false) return { arguments: args, left: [] };
  const fields = schemaFields(schema);
  const left = Object.keys(args).filter((name) => !Object.hasOwn(fields, name) && talk.has(folded(name)));
  if (left.length === 0) return { arguments: args, left };
  return { arguments: Object.fromEntries(Object.entries(args).filter(([name]) => !left.includes(name))), left };
}

function folded(name: string): string {
  return name.replaceAll(/[_\s-]/g, "").toLowerCase();
}

const talk: ReadonlySet<string> = new Set([
  "description",
  "explanation",
  "reason",
  "reasoning",
  "rationale",
  "justification",
  "purpose",
  "intent",
  "intention",
  "goal",
  "thought",
  "thoughts",
  "thinking",
  "comment",
  "comments",
  "note",
  "notes",
  "summary",
  "title",
  "message",
  "instruction",
  "instructions",
  "taskprogress",
  "requiresapproval",
  "safetoautorun",
  "toolsummary",
  "toolaction",
  "waitforprevioustools",
  "issafe",
  "riskassessment",
  "securityrisk",
  "ticker",
  "linecount",
]);
