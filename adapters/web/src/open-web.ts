import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { WebPages, WebSearch } from "@capstan/ports";

/** What of the user's configuration is about the web. */
export interface WebConfig {
  readonly network: { readonly proxy: string | null; readonly ca_file: string | null };
  readonly webfetch: {
    readonly ports: readonly string[];
    readonly timeout_seconds: number;
    readonly max_bytes: number;
    readonly robots_fail_open: boolean;
  };
}

export interface OpenedWeb {
  readonly pages: WebPages;
  /** Absent without a key. */
  readonly webSearch?: WebSearch;
}

/**
 * The web, as far as tools reach it. Its code is loaded by the first call.
 * @param folder  where pages are kept, in one of its own; absolute
 */
export function openWeb(
  config: WebConfig,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): OpenedWeb {
  let loading: Promise<WebPages> | undefined;
  const pages = (): Promise<WebPages> => (loading ??= loadPages(config, folder));
  const key = env["TAVILY_API_KEY"] ?? "";
  return {
    pages: {
      read: async (url) => await (await pages()).read(url),
      fetch: async (request, signal) => await (await pages()).fetch(request, signal),
    },
    ...(key === "" ? {} : { webSearch: lazySearch(key, config) }),
  };
}

async function loadPages({ network, webfetch }: WebConfig, folder: string): Promise<WebPages> {
  const { Extractor, HttpPages, networkOf } = await import("./implementations.ts");
  return new HttpPages({
    network: networkOf({ proxy: network.proxy, ca: await certificates(network) }),
    extractor: new Extractor(),
    ports: webfetch.ports.map(Number),
    timeoutMs: webfetch.timeout_seconds * 1000,
    maxBodyBytes: webfetch.max_bytes,
    robotsFailOpen: webfetch.robots_fail_open,
    cacheFolder: join(folder, "cache", "web"),
    now: () => Date.now(),
  });
}

function lazySearch(key: string, { network }: WebConfig): WebSearch {
  let loading: Promise<WebSearch> | undefined;
  const load = async (): Promise<WebSearch> => {
    const { TavilySearch, networkOf } = await import("./implementations.ts");
    return new TavilySearch({ key, network: networkOf({ proxy: network.proxy, ca: await certificates(network) }) });
  };
  return {
    host: searchHost,
    search: async (...question) => await (await (loading ??= load())).search(...question),
  };
}

/** The service that a key is for. */
const searchHost = "api.tavily.com";

/** A file that cannot be read trusts nobody more; a call to a model says that it cannot. */
async function certificates({ ca_file: file }: WebConfig["network"]): Promise<string | undefined> {
  return file === null || file === "" ? undefined : await readFile(file, "utf8").catch(() => undefined);
}
