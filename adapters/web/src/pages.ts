import type { FetchedPage, MovedPage, PageAddress, PageNote, PageRequest, WebFailure, WebPages } from "@capstan/ports";
import { readAddress } from "./address/read-address.ts";
import { type KeptPage, PageCache } from "./cache/page-cache.ts";
import { chunkBlocks } from "./extract/chunk-blocks.ts";
import type { Extractor } from "./extract/extractor.ts";
import { maxRedirects, minContentLength } from "./limits.ts";
import { RobotsCache } from "./robots/robots-cache.ts";
import { decodeText, kindOfText } from "./transport/decode-text.ts";
import { readBody } from "./transport/read-body.ts";
import { type Network, requestPage } from "./transport/request-page.ts";
import { staysAt } from "./transport/stays-at.ts";
import { WebError } from "./web-error.ts";

export interface PagesOptions {
  readonly network: Network;
  readonly extractor: Extractor;
  readonly ports: readonly number[];
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** Where pages are kept; absolute. */
  readonly cacheFolder: string;
  /** A host whose robots.txt cannot be had is read all the same. */
  readonly robotsFailOpen: boolean;
  /** ms since 1970. */
  readonly now: () => number;
}

/** Where a page is after all that moved it, or where it is at another host. */
type Arrived =
  | { readonly type: "kept"; readonly page: KeptPage; readonly isOpened: boolean }
  | { readonly type: "moved"; readonly to: string };

/** Pages over HTTP, as `WebPages` says. */
export class HttpPages implements WebPages {
  readonly #options: PagesOptions;
  readonly #robots: RobotsCache;
  readonly #cache: PageCache;

  constructor(options: PagesOptions) {
    this.#options = options;
    this.#robots = new RobotsCache(options.network, options.ports, options.now);
    this.#cache = new PageCache(options.cacheFolder, options.now);
  }

  async read(url: string): Promise<PageAddress | WebFailure> {
    try {
      return await Promise.resolve(readAddress(url, this.#options.ports));
    } catch (error) {
      if (error instanceof WebError) return error.failure;
      throw error;
    }
  }

  async fetch(request: PageRequest, signal: AbortSignal): Promise<FetchedPage | MovedPage | WebFailure> {
    const { timeoutMs } = this.#options;
    const timer = AbortSignal.timeout(timeoutMs);
    try {
      return await this.#fetch(request, AbortSignal.any([signal, timer]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WebError) return error.failure;
      if (timer.aborted) return new WebError("timeout", `the page took longer than ${timeoutMs} ms`).failure;
      return new WebError("internal", "the page could not be fetched, and this is a mistake of Capstan").failure;
    }
  }

  async #fetch(request: PageRequest, signal: AbortSignal): Promise<FetchedPage | MovedPage | WebFailure> {
    if (request.forceBrowser)
      throw new WebError("browser_unavailable", "there is no browser here; leave force_browser out", {
        retryable: false,
      });
    const { url } = readAddress(request.url, this.#options.ports);
    const known = request.noCache ? undefined : await this.#cache.read(url);
    if (known !== undefined) return toPage(request, known, ["cache_hit"]);
    const arrived = await this.#arrive(url, signal);
    if (arrived.type === "moved") return { type: "moved", requestedUrl: request.url, to: arrived.to };
    const { page, isOpened } = arrived;
    if (page.text.blocks.length === 0)
      throw new WebError("extraction_failed", "the page has no text; what it shows is made by its scripts");
    const isKept = request.noCache || (await this.#cache.write(url, page));
    return toPage(request, page, [
      ...(isOpened ? (["robots_unavailable_fail_open"] as const) : []),
      ...(isKept ? [] : (["cache_write_failed"] as const)),
    ]);
  }

  async #arrive(start: string, signal: AbortSignal): Promise<Arrived> {
    let url = new URL(start);
    let isOpened = false;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      isOpened = (await this.#askRobots(url, signal)) || isOpened;
      const answer = await requestPage(url, this.#options.network, signal);
      const { statusCode: status = 0, headers } = answer;
      if ([301, 302, 303, 307, 308].includes(status)) {
        answer.destroy();
        const to = this.#targetOf(headers.location, url);
        if (!staysAt(url, to)) return { type: "moved", to: to.href };
        url = to;
        continue;
      }
      if (status < 200 || status > 299) {
        answer.destroy();
        throw statusError(status);
      }
      const { bytes } = await readBody(answer, this.#options.maxBodyBytes, "refuse", signal);
      const contentType = headers["content-type"] ?? "";
      return { type: "kept", page: await this.#toKept(bytes, { contentType, url: url.href }, signal), isOpened };
    }
    throw new WebError("redirect_limit", `the page moved more than ${maxRedirects} times`);
  }

  /** @returns whether the host could not say, and that was passed over */
  async #askRobots(url: URL, signal: AbortSignal): Promise<boolean> {
    const rules = await this.#robots.rulesOf(url, signal);
    if (rules === undefined && !this.#options.robotsFailOpen)
      throw new WebError("robots_unavailable", `${url.host} does not say whether programs may read it (robots.txt)`, {
        retryable: true,
      });
    if (rules?.mayFetch(`${url.pathname}${url.search}`) === false)
      throw new WebError("robots_disallowed", `${url.host} does not let programs read this page (robots.txt)`);
    return rules === undefined;
  }

  /** Where a page says it is; checked like any address. */
  #targetOf(location: string | undefined, from: URL): URL {
    if (location === undefined || !URL.canParse(location, from.href))
      throw new WebError("network", "the page moved, and does not say where to", { retryable: false });
    return new URL(readAddress(new URL(location, from).href, this.#options.ports).url);
  }

  async #toKept(
    bytes: Buffer,
    { contentType, url }: { readonly contentType: string; readonly url: string },
    signal: AbortSignal,
  ): Promise<KeptPage> {
    const kind = kindOfText(bytes, contentType);
    if (kind === undefined)
      throw new WebError(
        "unsupported_content_type",
        `only HTML and plain text are read, and this is ${contentType === "" ? "neither" : JSON.stringify(contentType.slice(0, 100))}`,
      );
    const { text, isFallback } = decodeText(bytes, contentType);
    const extracted = await this.#options.extractor.extract({ type: kind, text, url }, signal);
    return { finalUrl: url, fetchedAt: this.#options.now(), text: extracted, isFallback };
  }
}

function statusError(status: number): WebError {
  const message = `the host answers with status ${status}`;
  if (status >= 500) return new WebError("http_5xx", message);
  if (status >= 400) return new WebError("http_4xx", message, { retryable: status === 408 || status === 429 });
  return new WebError("network", message, { retryable: false });
}

function toPage(
  request: PageRequest,
  { finalUrl, fetchedAt, text, isFallback }: KeptPage,
  notes: readonly PageNote[],
): FetchedPage {
  const found: ReadonlySet<PageNote> = new Set([
    ...notes,
    ...(text.visible < minContentLength ? (["browser_unavailable_used_http"] as const) : []),
    ...(isFallback ? (["charset_fallback"] as const) : []),
  ]);
  return {
    type: "page",
    requestedUrl: request.url,
    finalUrl,
    fetchedAt: new Date(fetchedAt).toISOString(),
    ...(text.title === undefined ? {} : { title: text.title }),
    ...(text.language === undefined ? {} : { language: text.language }),
    chunks: chunkBlocks(text.blocks, request.maxChunkTokens),
    renderingMethod: "http",
    ...(text.isCut ? { truncationReason: "page_too_large" } : {}),
    notes: noteOrder.filter((note) => found.has(note)),
  };
}

const noteOrder: readonly PageNote[] = [
  "cache_hit",
  "robots_unavailable_fail_open",
  "browser_unavailable_used_http",
  "charset_fallback",
  "cache_write_failed",
];
