import type { JsonObject, JsonValue } from "@capstan/protocol";
import { isList, isTooDeep, objectOf, parseJson, parseObject, textOf } from "../../shared/json-fields.ts";

/** A call as some text says it, before it is compared with the tools that were offered. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** The id that the text gives it. */
  readonly id?: string;
  /** Every argument is text, whatever the tool's schema says: so tags write it. */
  readonly untyped?: true;
}

/** A JSON value at a place of a text, and where it ends; `undefined` where there is none, or none that is whole. */
export function readJson(text: string, from: number): { readonly value: JsonValue; readonly end: number } | undefined {
  const end = new JsonExtent().add(text.slice(from));
  const value = end === undefined ? undefined : parseJson(text.slice(from, from + end));
  return end === undefined || value === undefined || isTooDeep(value) ? undefined : { value, end: from + end };
}

/** Finds the end of an object or array that arrives in pieces. */
export class JsonExtent {
  private depth = 0;
  private seen = 0;
  private inText = false;
  private escaped = false;

  /** @returns where the value ends, counted from the first piece on; `undefined`: not yet */
  add(piece: string): number | undefined {
    for (let at = 0; at < piece.length; at += 1) {
      const sign = piece.charAt(at);
      if (this.inText) this.readText(sign);
      else if (sign === '"') this.inText = true;
      else if (sign === "{" || sign === "[") this.depth += 1;
      else if (sign === "}" || sign === "]") this.depth -= 1;
      if (!this.inText && this.depth <= 0) return this.seen + at + 1;
    }
    this.seen += piece.length;
    return undefined;
  }

  private readText(sign: string): void {
    if (this.escaped) this.escaped = false;
    else if (sign === "\\") this.escaped = true;
    else if (sign === '"') this.inText = false;
  }
}

/** Names under which models write what is called, and with what. */
const nameFields = ["name", "tool", "tool_name", "function_name", "function"] as const;
const argumentFields = ["arguments", "parameters", "input", "args", "params", "tool_input"] as const;
/** What may stand beside them; a `description` beside `parameters` is a tool's definition, not a call. */
const besides: ReadonlySet<string> = new Set([
  ...nameFields,
  ...argumentFields,
  "id",
  "type",
  "index",
  "call_id",
  "tool_call_id",
  "thought",
  "reasoning",
]);

/** Whether an object that begins with this key may be a call: most JSON that is no call is known by its first key. */
export function mayBeginCall(key: string): boolean {
  return besides.has(key) || key === "tool_calls" || key === "function_call" || key === "content" || key === "role";
}

/** The calls a JSON value stands for; `undefined` unless it is nothing else. */
export function callsOfJson(value: JsonValue): readonly WrittenCall[] | undefined {
  if (isList(value)) return allOf(value);
  const object = objectOf(value);
  if (object === undefined) return undefined;
  const wrapped = object["tool_calls"] ?? object["function_call"];
  if (wrapped !== undefined) return allOf(isList(wrapped) ? wrapped : [wrapped]);
  const inner = objectOf(object["function"]);
  const call = callOf(inner ?? object);
  return call === undefined ? undefined : [call];
}

function allOf(values: readonly JsonValue[]): readonly WrittenCall[] | undefined {
  const calls = values.map((value) => (isList(value) ? undefined : callsOfJson(value)));
  return values.length > 0 && calls.every((call) => call !== undefined) ? calls.flat() : undefined;
}

function callOf(object: JsonObject): WrittenCall | undefined {
  const nameField = nameFields.find((field) => textOf(object[field]) !== "");
  if (nameField === undefined) return undefined;
  const name = textOf(object[nameField]);
  const argumentField = argumentFields.find((field) => object[field] !== undefined);
  if (argumentField === undefined) return flatCall(object, nameField);
  if (Object.keys(object).some((key) => !besides.has(key))) return undefined;
  const args = object[argumentField] ?? {};
  const value = typeof args === "string" ? (args.trim() === "" ? {} : parseObject(args)) : objectOf(args);
  return value === undefined ? undefined : { name, arguments: value };
}

/** `{"tool": "read_file", "path": "a"}`; with `name` that could be anything. */
function flatCall(object: JsonObject, nameField: string): WrittenCall | undefined {
  if (nameField !== "tool" && nameField !== "tool_name") return undefined;
  const { [nameField]: name, ...rest } = object;
  return { name: textOf(name), arguments: rest };
}
