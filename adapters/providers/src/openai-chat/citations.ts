import type { JsonObject, JsonValue } from "@capstan/protocol";
import { isTooDeep, listOf, objectOf, textOf } from "../shared/json-fields.ts";
import { hasRoom } from "../shared/stream/tool-calls.ts";

/**
 * The sources of one answer. OpenAI and OpenRouter name them as they are cited; Perplexity and xAI repeat all of them beside the
 * answer, as addresses to which the numbers in the text point, and some as results of a search, with a title. Groq names them with
 * the searches it made.
 */
export class Citations {
  private readonly annotations: Map<string, JsonValue> = new Map();
  private addresses: readonly JsonValue[] = [];
  private results: readonly JsonValue[] = [];
  private readonly searched: JsonValue[] = [];

  add(annotations: JsonValue | undefined): void {
    for (const citation of listOf(annotations)) {
      if (!isTooDeep(citation) && hasRoom(this.annotations.size)) {
        this.annotations.set(JSON.stringify(citation), citation);
      }
    }
  }

  /** Takes what stands beside an answer: the last report counts. */
  readBeside(chunk: JsonObject): void {
    const addresses = listOf(chunk["citations"]);
    const results = listOf(chunk["search_results"]);
    if (addresses.length > 0) this.addresses = addresses;
    if (results.length > 0) this.results = results;
  }

  /** Takes the tools that the server ran itself. */
  addExecuted(tools: JsonValue | undefined): void {
    for (const tool of listOf(tools)) {
      const found = listOf(objectOf(objectOf(tool)?.["search_results"])?.["results"]);
      this.searched.push(...found.filter((_, at) => hasRoom(this.searched.length + at)));
    }
  }

  all(): readonly JsonValue[] {
    const results = new Map<string, JsonObject>();
    for (const value of [...this.results, ...this.searched]) {
      const result = objectOf(value);
      const url = textOf(result?.["url"]);
      if (result === undefined || url === "" || isTooDeep(result) || !hasRoom(results.size)) continue;
      results.set(url, { type: "search_result", ...result });
    }
    const cited = this.addresses.filter((_, at) => hasRoom(at)).map((address) => citationOf(address, results));
    return [...this.annotations.values(), ...cited.filter((citation) => citation !== undefined), ...results.values()];
  }
}

/** A source by its address; its result of the search, where there is one, is taken from the others. */
function citationOf(address: JsonValue, results: Map<string, JsonObject>): JsonValue | undefined {
  const url = textOf(address);
  if (url === "") return isTooDeep(address) ? undefined : (objectOf(address) ?? undefined);
  const result = results.get(url);
  results.delete(url);
  return result ?? { type: "url_citation", url };
}

/** Whether a chunk names sources beside the answer. */
export function namesSources(chunk: JsonObject): boolean {
  return listOf(chunk["citations"]).length > 0 || listOf(chunk["search_results"]).length > 0;
}
