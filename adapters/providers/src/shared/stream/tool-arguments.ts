import { isJsonObject, type JsonValue, messageOf, type ToolArguments } from "@capstan/protocol";
import { limits } from "../../limits.ts";
import { repeatedKey } from "./repeated-key.ts";
import { isTooDeep } from "../json-fields.ts";

/** The arguments of a finished call: a JSON object, or what the model wrote with the reason why it is none. */
export function readToolArguments(text: string): ToolArguments {
  return readObject(withoutSecondCoat(text.trim()), text);
}

/** Some models write the JSON text of the arguments once more as JSON. */
function withoutSecondCoat(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  const { value } = parse(text);
  return typeof value === "string" && value.trimStart().startsWith("{") ? value.trim() : text;
}

function readObject(trimmed: string, text: string): ToolArguments {
  // Models call tools without parameters with nothing at all, or with null.
  if (trimmed === "" || trimmed === "null") return { type: "json", value: {} };
  const parsed = parse(trimmed);
  if (parsed.problem !== undefined) return malformed(text, parsed.problem);
  if (!isJsonObject(parsed.value)) return malformed(text, `an object was expected, not ${kindOf(parsed.value)}`);
  if (isTooDeep(parsed.value)) return malformed(text, `nested deeper than ${limits.jsonDepth} levels`);
  if (holdsInfinity(trimmed)) return malformed(text, "a number is too large");
  const repeated = repeatedKey(trimmed);
  if (repeated !== undefined) return malformed(text, `the key ${JSON.stringify(repeated)} stands twice in one object`);
  return { type: "json", value: parsed.value };
}

interface Parsed {
  readonly value: JsonValue;
  readonly problem?: string;
}

function parse(text: string): Parsed {
  try {
    const value: JsonValue = JSON.parse(text);
    return { value };
  } catch (error) {
    return { value: null, problem: messageOf(error) };
  }
}

/** JSON can write larger numbers than there are; they would be journaled as `null`. */
function holdsInfinity(json: string): boolean {
  if (!/[eE]\+?\d{3}|\d{300}/.test(json)) return false;
  let found = false;
  JSON.parse(json, (_key, value: unknown) => {
    found ||= typeof value === "number" && !Number.isFinite(value);
    return value;
  });
  return found;
}

function malformed(text: string, problem: string): ToolArguments {
  return { type: "malformed", text: text.slice(0, limits.malformedChars), problem };
}

function kindOf(value: JsonValue): string {
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
