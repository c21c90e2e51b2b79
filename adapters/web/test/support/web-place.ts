import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PageRequest, WebPages } from "@capstan/ports";
import { afterEach } from "vitest";
import { Extractor } from "../../src/extract/extractor.ts";
import { HttpPages, type PagesOptions } from "../../src/pages.ts";
import type { Network } from "../../src/transport/request-page.ts";

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An address of the public internet; nothing is sent there, for tests dial a server of their own. */
export const publicAddress = "93.184.216.34";

export interface WebPlace {
  readonly pages: WebPages;
  /** `host/path` of every request that arrived. */
  readonly asked: string[];
  /** Headers of every request that arrived. */
  readonly headers: IncomingMessage["headers"][];
  /** Every address a connection was made to. */
  readonly dialled: string[];
  readonly network: Network;
  /** Where pages are kept. */
  readonly cache: string;
  /** Other pages, with the same cache. */
  readonly again: (changes?: Partial<PagesOptions>) => WebPages;
}

/** One thread for all pages of a file: starting one takes longer than any test. */
const extractor = new Extractor();

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(ends.splice(0).map(async (end) => await end()));
});

/**
 * Pages over a real server on loopback. The checks are those of every session: only where a connection to a checked address ends is another
 * place.
 * @param answers  by `host/path` or `/path`; `/robots.txt` is not there unless it is named
 * @param names  addresses by name; every other name is public
 */
export async function openPlace(
  answers: Readonly<Record<string, Answer>>,
  names: Readonly<Record<string, () => readonly string[]>> = {},
  changes: Partial<PagesOptions> = {},
): Promise<WebPlace> {
  const [asked, headers, dialled]: [string[], IncomingMessage["headers"][], string[]] = [[], [], []];
  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? "").replace(/\?.*$/, "");
    asked.push(`${incoming.headers.host}${incoming.url}`);
    headers.push(incoming.headers);
    const answer = answers[`${incoming.headers.host}${path}`] ?? answers[path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(incoming, response);
  });
  const port = await listen(server);
  const folder = mkdtempSync(join(tmpdir(), "capstan-web-"));
  ends.push(async () => {
    rmSync(folder, { recursive: true });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const network: Network = {
    resolve: async (host) => await Promise.resolve((names[host] ?? (() => [publicAddress]))()),
    dial: (address) => {
      dialled.push(address);
      return { host: "127.0.0.1", port };
    },
    userAgent: "capstan-webfetch/1.0",
  };
  const again = (more: Partial<PagesOptions> = {}): WebPages =>
    new HttpPages({
      network,
      extractor,
      ports: [80, 443],
      timeoutMs: 20_000,
      maxBodyBytes: 10 * 1024 * 1024,
      cacheFolder: join(folder, "web"),
      robotsFailOpen: false,
      now: () => Date.now(),
      ...changes,
      ...more,
    });
  return { pages: again(), asked, headers, dialled, network, cache: join(folder, "web"), again };
}

export function html(body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_request, response) => response.writeHead(200, { "content-type": "text/html", ...headers }).end(body);
}

export function moved(to: string, status = 302): Answer {
  return (_request, response) => response.writeHead(status, { location: to }).end();
}

export function request(url: string, changes: Partial<PageRequest> = {}): PageRequest {
  return { url, maxChunkTokens: 600, noCache: false, forceBrowser: false, ...changes };
}

/** The code of a failure, `moved`, or the whole text of a page. */
export async function outcome(pages: WebPages, url: string, changes: Partial<PageRequest> = {}): Promise<string> {
  const got = await pages.fetch(request(url, changes), new AbortController().signal);
  if (got.type === "failed") return got.code;
  return got.type === "moved" ? `moved ${got.to}` : got.chunks.map(({ text }) => text).join("\n\n");
}

export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}
