import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { pathText } from "../keys/config-path.ts";

/** A value as TOML, on one line. */
export function tomlText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(tomlText).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${pathText([name])} = ${tomlText(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
