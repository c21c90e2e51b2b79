import { type AssistantMessage, isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { inertLine } from "@capstan/patterns";
import { sourcesOf } from "./sources.ts";

/** What the vendor's own tools did for an answer, one line each, as far as it is not said by another line. */
export function vendorWork(message: AssistantMessage): readonly VendorLine[] {
  const items = message.content.flatMap((block) => (block.type === "provider-item" ? [block.item] : []));
  const called = new Set(items.map((item) => textOf(item["id"])));
  return items.flatMap((item) => describe(item, called));
}

/** Titles and addresses of what an answer cites, each once, in the order of the answer. */
export function citedSources(message: AssistantMessage): readonly string[] {
  const seen = new Set<string>();
  const citations = message.content.flatMap((block) => (block.type === "text" ? (block.citations ?? []) : []));
  return citations.flatMap(sourcesOf).flatMap(({ title, url }) => {
    const key = url === "" ? title : url;
    if (key === "" || seen.has(key)) return [];
    seen.add(key);
    const words = [title, url === title ? "" : url].filter((word) => word !== "").join(" — ");
    return [inertLine(words, sourceCharacters)];
  });
}

export interface VendorLine {
  readonly failed: boolean;
  readonly text: string;
}

const lineCharacters = 160;
/** Addresses are longer than words, and of no use when cut. */
const sourceCharacters = 500;

/** Items that only say how another one ended, or carry a proof. */
const silent = /^(reasoning|.*_output)$/;

function describe(item: JsonObject, called: ReadonlySet<string>): readonly VendorLine[] {
  const type = textOf(item["type"]);
  if (type === "") return describePart(item);
  if (silent.test(type)) return [];
  const answered = item["tool_use_id"];
  if (typeof answered === "string") return describeResult(item, type, called.has(answered));
  const problem = problemOf(item);
  return [line(nameOf(item, type), problem === "" ? wordsOf(item) : problem, problem !== "")];
}

/** Results are shown by the line of their call, unless they are none. */
function describeResult(item: JsonObject, type: string, isReported: boolean): readonly VendorLine[] {
  const name = type.replace(/_(?:tool_)?result$/, "");
  const problem = textOf(objectOf(item["content"])["error_code"]);
  if (problem !== "" || item["is_error"] === true) return [line(name, problem === "" ? "failed" : problem, true)];
  return isReported ? [] : [line(name, "answered", false)];
}

/** Gemini's parts have no type: their one field says what they are. */
function describePart(item: JsonObject): readonly VendorLine[] {
  const [kind = "", value = null] = Object.entries(item).find(([, field]) => isJsonObject(field)) ?? [];
  const part = objectOf(value);
  const outcome = textOf(part["outcome"]);
  if (kind === "codeExecutionResult") return outcome === "OUTCOME_OK" ? [] : [line("code", outcome || "failed", true)];
  if (kind === "" || kind === "toolResponse") return [];
  return [line(kind, wordsOf(part), false)];
}

function nameOf(item: JsonObject, type: string): string {
  const server = textOf(item["server_name"]) || textOf(item["server_label"]);
  return [server, textOf(item["name"]) || type.replace(/_call$/, "")].filter((word) => word !== "").join("/");
}

function problemOf(item: JsonObject): string {
  const error = item["error"];
  if (error !== undefined && error !== null) return firstText(error) || "failed";
  return item["status"] === "failed" ? "failed" : "";
}

/** Fields that say in a few words what was done, the most informative first. */
const informative: readonly string[] = [
  "query",
  "queries",
  "url",
  "pattern",
  "command",
  "commands",
  "code",
  "path",
  "prompt",
  "revised_prompt",
  "mimeType",
  "file_id",
  "to",
];

function wordsOf(item: JsonObject): string {
  const places = [item, ...["input", "action", "operation", "args"].map((key) => objectOf(item[key]))];
  for (const key of informative) {
    const words = places.map((place) => firstText(place[key])).find((text) => text !== "");
    if (words !== undefined) return words;
  }
  const given = places.slice(1).flatMap((place) => Object.values(place));
  return firstText([...given, item["arguments"] ?? ""]);
}

/** The first text in a value, looked for a few levels deep. */
function firstText(value: JsonValue | undefined, levels = 3): string {
  if (typeof value === "string") return value.trim();
  if (typeof value !== "object" || value === null || levels === 0) return "";
  for (const inner of Object.values(value)) {
    const text = firstText(inner, levels - 1);
    if (text !== "") return text;
  }
  return "";
}

function line(name: string, words: string, failed: boolean): VendorLine {
  return { failed, text: inertLine(words === "" ? name : `${name}: ${words}`, lineCharacters) };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
