import { isJsonObject, type JsonObject } from "@capstan/protocol";

/** The objects of a list, whatever else stands there: requests are read before they are checked. */
export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The text of a content that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return objects(content)
    .flatMap((part) => (typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}

/** The name of whatever has one. */
export function nameOf(named: unknown): string {
  return isJsonObject(named) && typeof named["name"] === "string" ? named["name"] : "";
}
