import type { SearchHit, WebFailure, WebSearch } from "@capstan/ports";
import { maxExcerptLength, maxSearchBytes, searchTimeoutMs } from "./limits.ts";
import { readBody } from "./transport/read-body.ts";
import { type Network, requestPage } from "./transport/request-page.ts";
import { WebError } from "./web-error.ts";

const address = new URL("https://api.tavily.com/search");

export interface TavilyOptions {
  readonly key: string;
  readonly network: Network;
}

/** Tavily's search, as its public interface says. */
export class TavilySearch implements WebSearch {
  readonly host: string = address.host;
  readonly #options: TavilyOptions;

  constructor(options: TavilyOptions) {
    this.#options = options;
  }

  async search(
    query: string,
    maxResults: number,
    signal: AbortSignal,
  ): Promise<{ readonly type: "found"; readonly hits: readonly SearchHit[] } | WebFailure> {
    const timer = AbortSignal.timeout(searchTimeoutMs);
    const both = AbortSignal.any([signal, timer]);
    try {
      const hits = await this.#ask({ query, max_results: maxResults }, both);
      return { type: "found", hits: hits.slice(0, maxResults) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WebError) return error.failure;
      if (timer.aborted) return new WebError("timeout", `the search took longer than ${searchTimeoutMs} ms`).failure;
      return new WebError("internal", "the search failed, and this is a mistake of Capstan").failure;
    }
  }

  async #ask(question: object, signal: AbortSignal): Promise<readonly SearchHit[]> {
    const { key, network } = this.#options;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "application/json" };
    const answer = await requestPage(address, network, signal, {
      method: "POST",
      headers,
      body: JSON.stringify(question),
    });
    const { statusCode: status = 0 } = answer;
    const { bytes } = await readBody(answer, maxSearchBytes, "refuse", signal);
    if (status === 401 || status === 403)
      throw new WebError("http_4xx", `the service refuses the key (status ${status}); the user checks TAVILY_API_KEY`);
    if (status >= 500) throw new WebError("http_5xx", `the service answers with status ${status}`);
    if (status !== 200)
      throw new WebError("http_4xx", `the service answers with status ${status}`, { retryable: status === 429 });
    return hitsOf(bytes.toString("utf8"));
  }
}

function hitsOf(text: string): readonly SearchHit[] {
  const results = field(parsed(text), "results");
  if (!Array.isArray(results)) throw new WebError("extraction_failed", "the service's answer cannot be read");
  return results.flatMap((result: unknown) => {
    const url = textField(result, "url");
    if (!URL.canParse(url)) return [];
    return [{ title: textField(result, "title"), url, excerpt: textField(result, "content") }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WebError("extraction_failed", "the service's answer cannot be read", { cause: error });
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function textField(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found.slice(0, maxExcerptLength).toWellFormed() : "";
}
