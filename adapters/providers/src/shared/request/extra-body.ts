import type { JsonObject, ModelSettings } from "@capstan/protocol";
import { objectOf } from "../json-fields.ts";

/** What is the conversation itself, or how it is sent, on one wire or another: no configuration may put something else there. */
export const reservedBodyFields: readonly string[] = [
  "model",
  "messages",
  "input",
  "contents",
  "system",
  "instructions",
  "systemInstruction",
  "system_instruction",
  "cachedContent",
  "tools",
  "stream",
];

/** The fields configured for every request's body, for the end of its head: they win over the wire's own. */
export function extraBody(model: ModelSettings): JsonObject {
  const body = objectOf(model.options["body"]);
  if (body === undefined) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => !reservedBodyFields.includes(name)));
}
