import { AppError } from "@capstan/protocol";
import type { ProviderOptions } from "@capstan/ports";

/** Where requests go. `origin` is what people may read: no user, no path, no query. */
export interface Endpoint {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  readonly origin: string;
  readonly loopback: boolean;
}

/**
 * The address of one call.
 * @param segments  path below the base URL, such as `["v1", "messages"]`; segments the base URL already ends with are not repeated
 * @param query  added to what the base URL and the options have of their own, such as `alt=sse`
 * @throws {AppError} `config.invalid` when the base URL is none
 */
export function toEndpoint(options: ProviderOptions, segments: readonly string[], query: string = ""): Endpoint {
  const url = parse(options);
  const secure = url.protocol === "https:";
  return {
    secure,
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: `${joined(url.pathname, segments)}${withQuery(searchOf(url, options.query), query)}`,
    origin: url.origin,
    loopback: isLoopback(url.hostname),
  };
}

/** True for names and addresses that never leave this machine. */
function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, "");
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

function parse(options: ProviderOptions): URL {
  const url = URL.canParse(options.baseUrl) ? new URL(options.baseUrl) : undefined;
  if (url !== undefined && (url.protocol === "https:" || url.protocol === "http:")) return url;
  throw new AppError("config.invalid", `the base URL of provider ${options.name} is not an http(s) address`, {
    hint: `Set base_url of [providers.${options.name}] to something like https://host/v1.`,
  });
}

/** The base URL's own parameters stay as they are written, unless the configured ones name them. */
function searchOf(url: URL, own: ProviderOptions["query"]): string {
  const names = Object.keys(own ?? {});
  if (names.length === 0) return url.search;
  const changed = new URL(url);
  for (const name of names) changed.searchParams.set(name, own?.[name] ?? "");
  return changed.search;
}

function withQuery(search: string, query: string): string {
  if (query === "") return search;
  return search === "" ? `?${query}` : `${search}&${query}`;
}

function joined(basePath: string, segments: readonly string[]): string {
  const base = basePath.split("/").filter((segment) => segment !== "");
  for (let shared = segments.length; shared > 0; shared -= 1) {
    const tail = base.slice(-shared);
    if (tail.length === shared && tail.every((segment, at) => segment === segments[at])) {
      return `/${[...base, ...segments.slice(shared)].join("/")}`;
    }
  }
  return `/${[...base, ...segments].join("/")}`;
}
