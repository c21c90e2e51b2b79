import { once } from "node:events";
import { lookup } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { HostPlace } from "@capstan/ports";
import {
  maxProxyConnections,
  maxRefusedHosts,
  proxyConnectTimeoutMs,
  proxyIdleTimeoutMs,
  proxyQuestionTimeoutMs,
} from "../limits.ts";
import type { ProxyChoice } from "./proxy-choice.ts";
import { requestThrough, tunnelThrough } from "./user-proxy.ts";
import {
  findGrant,
  type HostAndPort,
  type HostGrant,
  isPublicName,
  mayConnect,
  parseAuthority,
} from "./host-grants.ts";

/** Finds all addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Whether a place may be reached. */
export type HostQuestion = (place: HostPlace) => Promise<boolean>;

export interface HostProxyOptions {
  readonly resolve?: ResolveHost;
  /** Asked about a public name that no grant opens, while the connection waits. */
  readonly mayReach?: HostQuestion | undefined;
  readonly proxyFor?: ProxyChoice | undefined;
}

/**
 * What one command reaches by HTTP: the granted hosts and nothing else. A name is resolved once; its addresses are judged, and the one
 * that was judged is connected to.
 */
export class HostProxy {
  readonly #grants: readonly HostGrant[];
  readonly #resolve: ResolveHost;
  readonly #mayReach: HostQuestion | undefined;
  readonly #proxyFor: ProxyChoice | undefined;
  readonly #refused = new Set<string>();
  readonly #streams = new Set<Duplex>();
  #isClosed = false;

  constructor(grants: readonly HostGrant[], { resolve = resolveHost, mayReach, proxyFor }: HostProxyOptions = {}) {
    this.#grants = grants;
    this.#resolve = resolve;
    this.#mayReach = mayReach;
    this.#proxyFor = proxyFor;
  }

  /** `host:port` that was asked for and refused. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  close(): void {
    this.#isClosed = true;
    for (const each of this.#streams) each.destroy();
  }

  /** Serves a client that wants to speak with a host itself. */
  async tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    if (!this.#admit(client)) return;
    const answer = (status: string): unknown => client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    const target = parseAuthority(message.url ?? "");
    if (target === undefined) return void answer("400 Bad Request");
    const vetted = await this.#vet(target);
    if (vetted.type === "closed") return void answer(vetted.isUnknown ? "502 Bad Gateway" : "403 Forbidden");
    const server = await this.#open(vetted, target).catch(() => undefined);
    if (server === undefined) return void answer("502 Bad Gateway");
    server.once("error", () => client.destroy());
    client.once("close", () => server.destroy());
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.write(head);
    client.pipe(server).pipe(client);
  }

  /** Serves a client whose request is made for it. */
  async forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#admit(message.socket)) return;
    const refuse = (status: number, text: string): void => {
      response.writeHead(status, { connection: "close", "content-type": "text/plain" }).end(`${text}\n`);
    };
    const [, authority = "", path = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(message.url ?? "") ?? [];
    const target = parseAuthority(authority, 80);
    if (target === undefined) return refuse(400, "This proxy takes whole http addresses and CONNECT.");
    const vetted = await this.#vet(target);
    if (vetted.type === "closed" && vetted.isUnknown)
      return refuse(502, `${target.host} could not be resolved (ENOTFOUND).`);
    if (vetted.type === "closed") return refuse(403, `${nameOf(target)} is not open to commands.`);
    const onward = this.#request(message, target, { vetted, path });
    onward.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headersDistinct));
      answer.pipe(response);
    });
    onward.once("error", () =>
      response.headersSent ? response.destroy() : refuse(502, "The host cannot be reached."),
    );
    response.once("close", () => onward.destroy());
    message.pipe(onward);
  }

  #request(
    message: IncomingMessage,
    target: HostAndPort,
    { vetted, path }: { readonly vetted: Way; readonly path: string },
  ): ClientRequest {
    const host = target.port === 80 ? bracketed(target.host) : nameOf(target);
    const headers = { ...endToEnd(message.headersDistinct), host };
    const asked = { method: message.method, path: path.startsWith("/") ? path : `/${path}`, headers };
    if (vetted.type === "proxied") return requestThrough(vetted.proxy, asked);
    return request({ ...asked, createConnection: () => this.#connect(vetted.address, target.port) });
  }

  /** A granted name without any address is nothing that was refused. */
  async #vet(target: HostAndPort): Promise<Vetted> {
    const grant = findGrant(this.#grants, target) ?? (await this.#asked(target));
    if (grant !== undefined) {
      const proxy = await this.#proxyFor?.(target);
      const addresses = isIP(target.host) === 0 ? await this.#resolve(target.host).catch(() => []) : [target.host];
      const [address] = addresses;
      // Behind a proxy names are often known to that alone.
      if (address === undefined) return proxy === undefined ? unknown : { type: "proxied", proxy };
      if (mayConnect(grant, addresses))
        return proxy === undefined ? { type: "open", address } : { type: "proxied", proxy };
    }
    if (this.#refused.size < maxRefusedHosts) this.#refused.add(nameOf(target));
    return { type: "closed", isUnknown: false };
  }

  /** Nothing is looked up before there is a yes: a name that is looked up leaves the machine. */
  async #asked(target: HostAndPort): Promise<HostGrant | undefined> {
    if (this.#mayReach === undefined || !isPublicName(target.host)) return undefined;
    const over = new AbortController();
    const tooLong = setTimeout(proxyQuestionTimeoutMs, false, { ref: false, signal: over.signal }).catch(() => false);
    const isOpen = await Promise.race([this.#mayReach(target).catch(() => false), tooLong]);
    over.abort();
    return isOpen ? { ...target, isSuffix: false } : undefined;
  }

  async #open(way: Way, { host, port }: HostAndPort): Promise<Duplex> {
    if (way.type === "open") {
      const socket = this.#connect(way.address, port);
      await once(socket, "connect");
      return socket;
    }
    const stream = await tunnelThrough(way.proxy, nameOf({ host, port }));
    this.#track(stream);
    return stream;
  }

  #connect(address: string, port: number): Socket {
    const socket = connect({ host: address, port, timeout: proxyConnectTimeoutMs });
    socket.once("connect", () => socket.setTimeout(proxyIdleTimeoutMs));
    socket.once("timeout", () => socket.destroy(new Error("it took too long")));
    this.#track(socket);
    return socket;
  }

  /** @returns false where there are too many: then its connection is over */
  #admit(client: Duplex): boolean {
    if (this.#streams.has(client)) return true;
    if (this.#streams.size < maxProxyConnections) this.#track(client);
    else client.destroy();
    return this.#streams.has(client);
  }

  #track(stream: Duplex): void {
    if (this.#isClosed) return void stream.destroy();
    this.#streams.add(stream);
    stream.once("close", () => this.#streams.delete(stream));
  }
}

type Way = { readonly type: "open"; readonly address: string } | { readonly type: "proxied"; readonly proxy: string };

type Vetted =
  | Way
  /** `isUnknown`: nobody knows its address. */
  | { readonly type: "closed"; readonly isUnknown: boolean };

const unknown: Vetted = { type: "closed", isUnknown: true };

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

/** What is between two neighbours is not passed on. */
const hopByHop: ReadonlySet<string> = new Set(
  "connection host keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

function endToEnd(headers: NodeJS.Dict<string[]>): Record<string, string[]> {
  const named = new Set((headers["connection"] ?? []).flatMap((value) => value.toLowerCase().split(/\s*,\s*/)));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, values]) =>
      values === undefined || hopByHop.has(name) || named.has(name) ? [] : [[name, values]],
    ),
  );
}

function nameOf({ host, port }: HostAndPort): string {
  return `${bracketed(host)}:${port}`;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
