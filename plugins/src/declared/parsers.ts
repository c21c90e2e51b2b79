/** A module of its own: these are loaded where a plugin is written as data. */
import type { JsonValue } from "@capstan/protocol";
import { parse } from "smol-toml";
import { parseDocument } from "yaml";

/** Nodes that aliases may repeat: anchors are rare in such files, and a few can make many. */
const maxAliases = 64;

export function parseYaml(text: string): JsonValue {
  const document = parseDocument(text, { prettyErrors: true, logLevel: "silent" });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  return plain(document.toJS({ maxAliasCount: maxAliases }));
}

export function parseToml(text: string): JsonValue {
  return plain(parse(text));
}

export function parseJson(text: string): JsonValue {
  return plain(JSON.parse(text));
}

/** Dates and other values of a format's own become texts, as in JSON. */
function plain(value: unknown): JsonValue {
  const copy: JsonValue = JSON.parse(JSON.stringify(value ?? null));
  return copy;
}
