import { isJsonObject } from "@capstan/protocol";
import { cleanText } from "./clean-json.ts";
import type { Redactor } from "./find-secrets.ts";

/** Fields whose texts a client joins, over all wires. */
const joinedFields: ReadonlySet<string> = new Set([
  "text",
  "thinking",
  "partial_json",
  "content",
  "reasoning_content",
  "refusal",
  "arguments",
  "delta",
]);
/** Fields that say which block, item or call a piece belongs to. */
const placeFields = ["type", "index", "output_index", "content_index", "item_id"];

/**
 * Server-sent events without secrets, each event whole; `undefined`: there was none in them. A secret may come in pieces, over
 * many events: then the first of them gets all of the redacted text, and the others get none.
 */
export function cleanStream(text: string, redact: Redactor): readonly string[] | undefined {
  const events = text.match(/[^]*?(?:\r?\n\r?\n|$)/g)?.filter((event) => event !== "") ?? [];
  const cleaned = events.map((event) => cleanEvent(event, (json) => cleanText(json, redact)));
  const joined = joinedTexts(cleaned);
  const whole = new Map([...joined].map(([place, said]) => [place, redact(said)]));
  const changed = [...joined].flatMap(([place, said]) => (whole.get(place) === said ? [] : [place]));
  if (changed.length === 0) return cleaned.join("") === text ? undefined : cleaned;
  const waiting = new Map(changed.map((place) => [place, whole.get(place) ?? ""]));
  const isChanged = new Set(changed);
  return cleaned.map((event) =>
    cleanEvent(event, (json) => {
      const value = parse(json);
      const reported = mapJoined(value, "", (said, place) => {
        if (!isChanged.has(place)) return said;
        const all = waiting.get(place) ?? "";
        waiting.delete(place);
        return all;
      });
      return value === undefined ? json : JSON.stringify(reported);
    }),
  );
}

function cleanEvent(event: string, clean: (json: string) => string): string {
  return event.replace(/^(data: ?)(.*?)(\r?)$/gm, (_line, name: string, json: string, end: string) => {
    return `${name}${clean(json)}${end}`;
  });
}

function joinedTexts(events: readonly string[]): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const event of events) {
    for (const [, json = ""] of event.matchAll(/^data: ?(.*?)\r?$/gm)) {
      mapJoined(parse(json), "", (said, place) => {
        joined.set(place, `${joined.get(place) ?? ""}${said}`);
        return said;
      });
    }
  }
  return joined;
}

/** Goes through the texts that clients join, each with a name for its place. */
function mapJoined(value: unknown, place: string, change: (text: string, place: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown, at) => mapJoined(item, `${place}[${at}]`, change));
  if (!isJsonObject(value)) return value;
  const own = placeFields.map((name) => JSON.stringify(value[name]) ?? "").join(" ");
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      const at = `${place}{${own}}.${name}`;
      const isJoined = typeof item === "string" && joinedFields.has(name);
      return [name, isJoined ? change(item, at) : mapJoined(item, at, change)];
    }),
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
