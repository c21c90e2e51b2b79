import { isJsonObject, type JsonObject } from "@capstan/protocol";
import type { DeclaredWork } from "./declared-plugin.ts";
import type { Fields } from "./fields.ts";

const kinds: readonly string[] = ["bash", "http", "javascript", "skill"];

/** What tells the kind of a tool that does not name it. */
const tellingFields: readonly (readonly [field: string, kind: string])[] = [
  ["command", "bash"],
  ["url", "http"],
  ["code", "javascript"],
  ["content", "skill"],
  ["file", "skill"],
];

const variableName = /^[A-Za-z_]\w*$/;

/** What a tool does. @throws Error with the place, in words for people */
export function readWork(fields: Fields, inputSchema: JsonObject): DeclaredWork {
  const kind = fields.text("type", "kind") ?? kindOf(fields);
  switch (kind) {
    case "bash":
      requireVariables(fields, inputSchema);
      return { kind, script: fields.requiredText("command", "script") };
    case "http":
      return {
        kind,
        method: (fields.text("method") ?? "GET").toUpperCase(),
        url: addressOf(fields),
        headers: headersOf(fields.table("headers")),
        body: fields.value("body") ?? null,
      };
    case "javascript":
      return { kind, code: fields.requiredText("code", "script") };
    case "skill":
      return skillOf(fields);
    default:
      throw fields.wrong("type", `${kind} is none of ${kinds.join(", ")}`);
  }
}

function kindOf(fields: Fields): string {
  const [, kind] = tellingFields.find(([field]) => fields.value(field) !== undefined) ?? [];
  if (kind === undefined) throw fields.wrong("type", `it is missing: one of ${kinds.join(", ")}`);
  return kind;
}

/** Arguments are variables of the script, and must be able to be such. */
function requireVariables(fields: Fields, { properties }: JsonObject): void {
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  const wrong = names.find((name) => !variableName.test(name));
  if (wrong !== undefined)
    throw fields.wrong("inputSchema", `${wrong} cannot be a variable: letters, digits and _ can, and no digit first`);
}

function addressOf(fields: Fields): string {
  const url = fields.requiredText("url");
  // Where a request goes is the author's to say, never an argument's.
  if (/^https?:\/\/[^/{}?#\s]+(?:[/?#]|$)/.test(url)) return url;
  throw fields.wrong("url", "it begins with http:// or https:// and a host without placeholders");
}

function headersOf(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.names().map((name) => [name, fields.requiredText(name)]));
}

function skillOf(fields: Fields): DeclaredWork {
  const text = fields.text("content", "text") ?? null;
  const file = fields.text("file", "path") ?? null;
  if ((text === null) === (file === null)) throw fields.wrong("content", "a skill has either content or a file");
  if (file !== null && (file.startsWith("/") || file.split("/").includes("..")))
    throw fields.wrong("file", "it lies in the plugin's folder");
  return { kind: "skill", text, file };
}
