/** What can go wrong with a page, in words that stay. */
export type WebErrorCode =
  | "bad_args"
  | "invalid_url"
  | "invalid_scheme"
  | "invalid_host"
  | "port_blocked"
  | "ssrf_blocked"
  | "dns_failed"
  | "robots_disallowed"
  | "robots_unavailable"
  | "redirect_limit"
  | "timeout"
  | "network"
  | "response_too_large"
  | "unsupported_content_type"
  | "http_4xx"
  | "http_5xx"
  | "browser_unavailable"
  | "browser_crashed"
  | "extraction_failed"
  | "internal";

export interface WebFailure {
  readonly type: "failed";
  readonly code: WebErrorCode;
  /** For the model: what happened, and what to do instead. */
  readonly message: string;
  /** The same may work later. */
  readonly retryable: boolean;
}

/** An address that may be looked up: checked as far as that needs no network. */
export interface PageAddress {
  readonly type: "address";
  /** In its one spelling, without what follows a `#`. */
  readonly url: string;
  /** `name` or `name:port`, as rules speak of hosts. */
  readonly host: string;
  readonly path: string;
  /** What follows the first `?`. */
  readonly query: string;
}

export interface PageRequest {
  /** As `read` gave it. */
  readonly url: string;
  readonly maxChunkTokens: number;
  readonly noCache: boolean;
  readonly forceBrowser: boolean;
}

/** A part of a page, below one heading. */
export interface PageChunk {
  readonly heading: string;
  /** Markdown. */
  readonly text: string;
  readonly tokenCount: number;
}

/** What a reader of a page should know, in this order. */
export type PageNote =
  | "cache_hit"
  | "robots_unavailable_fail_open"
  | "browser_unavailable_used_http"
  | "browser_dom_truncated"
  | "browser_blocked_non_get"
  | "charset_fallback"
  | "cache_write_failed"
  | "tool_output_limit";

export interface FetchedPage {
  readonly type: "page";
  readonly requestedUrl: string;
  readonly finalUrl: string;
  /** ISO 8601. */
  readonly fetchedAt: string;
  readonly title?: string;
  readonly language?: string;
  readonly chunks: readonly PageChunk[];
  readonly renderingMethod: "http" | "browser";
  /** Why not all of it is here. */
  readonly truncationReason?: string;
  readonly notes: readonly PageNote[];
}

/** The page is at another host, which nobody was asked about. */
export interface MovedPage {
  readonly type: "moved";
  readonly requestedUrl: string;
  readonly to: string;
}

/**
 * Pages of the public web.
 *
 * Contract:
 * - `read` says which address a text means, and refuses what is never fetched; it asks nobody.
 * - `fetch` connects to addresses of the public internet only, and to those that it checked; it follows a page that moves within its host, and
 *   carries no cookie, no credential and nothing of the environment. What comes is untrusted.
 * - When `signal` aborts, `fetch` throws its reason and leaves nothing running.
 */
export interface WebPages {
  read(url: string): Promise<PageAddress | WebFailure>;
  fetch(request: PageRequest, signal: AbortSignal): Promise<FetchedPage | MovedPage | WebFailure>;
}

export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
}

/** A search of the web by some service. What comes is untrusted. */
export interface WebSearch {
  /** The host that is asked, as rules speak of hosts. */
  readonly host: string;
  /** @throws the signal's reason */
  search(
    query: string,
    maxResults: number,
    signal: AbortSignal,
  ): Promise<{ readonly type: "found"; readonly hits: readonly SearchHit[] } | WebFailure>;
}
