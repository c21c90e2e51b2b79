import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";

export interface Source {
  readonly title: string;
  /** Empty for what has no address, such as a document the user gave. */
  readonly url: string;
}

/** What a citation names, in any vendor's form. A report of a search names many. */
export function sourcesOf(citation: JsonValue): readonly Source[] {
  if (!isJsonObject(citation)) return typeof citation === "string" ? [sourceOf({ url: citation })] : [];
  const listed = [...listOf(citation["groundingChunks"]), ...listOf(citation["urlMetadata"])];
  if (listed.length > 0) return listed.flatMap(inner);
  return inner(citation);
}

/** Some vendors put the source inside of an object that says what kind of source it is. */
function inner(value: JsonValue): readonly Source[] {
  if (!isJsonObject(value)) return [];
  const own = sourceOf(value);
  if (own.url !== "" || own.title !== "") return [own];
  return Object.values(value).flatMap((field) => (isJsonObject(field) ? [sourceOf(field)] : []));
}

function sourceOf(value: JsonObject): Source {
  return {
    title: firstOf(value, ["title", "document_title", "filename"]),
    url: firstOf(value, ["url", "uri", "retrievedUrl", "source"]),
  };
}

function firstOf(value: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const field = value[key];
    if (typeof field === "string" && field.trim() !== "") return field.trim();
  }
  return "";
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
