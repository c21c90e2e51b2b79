import { lookup } from "node:dns/promises";
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import {
  maxProxyConnections,
  maxProxyHeaderBytes,
  maxRefusedHosts,
  proxyConnectTimeoutMs,
  proxyHeadTimeoutMs,
  proxyIdleTimeoutMs,
} from "../limits.ts";
import { findGrant, type HostAndPort, type HostGrant, mayConnect, parseAuthority } from "./host-grants.ts";

/** Finds all addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

/**
 * A proxy for HTTP that reaches the granted hosts and nothing else. A name is resolved once; its addresses are judged, and the one
 * that was judged is connected to.
 */
export class HostProxy {
  readonly #grants: readonly HostGrant[];
  readonly #resolve: ResolveHost;
  readonly #server: Server;
  readonly #refused = new Set<string>();
  readonly #open = new Set<{ destroy(): unknown }>();

  constructor(grants: readonly HostGrant[], resolve: ResolveHost = resolveHost) {
    this.#grants = grants;
    this.#resolve = resolve;
    this.#server = createServer({
      maxHeaderSize: maxProxyHeaderBytes,
      headersTimeout: proxyHeadTimeoutMs,
      connectionsCheckingInterval: proxyHeadTimeoutMs / 2,
      requestTimeout: 0,
      keepAliveTimeout: proxyHeadTimeoutMs,
    });
    this.#server.on("connect", (message: IncomingMessage, client: Duplex, head: Buffer) => {
      void this.#tunnel(message, client, head);
    });
    this.#server.on("request", (message, response) => {
      void this.#forward(message, response);
    });
    this.#server.on("clientError", (_error, client) => client.destroy());
  }

  /** `host:port` that was asked for and refused. */
  get refused(): readonly string[] {
    return [...this.#refused];
  }

  /** Serves one client. */
  accept(client: Duplex): void {
    client.on("error", () => client.destroy());
    if (this.#open.size >= maxProxyConnections) {
      client.destroy();
      return;
    }
    this.#track(client);
    this.#server.emit("connection", client);
  }

  close(): void {
    for (const each of this.#open) each.destroy();
    this.#server.close();
  }

  async #tunnel(message: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const answer = (status: string): unknown => client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    const target = parseAuthority(message.url ?? "");
    if (target === undefined) return void answer("400 Bad Request");
    const vetted = await this.#vet(target);
    if (vetted.type === "closed") return void answer(vetted.isUnknown ? "502 Bad Gateway" : "403 Forbidden");
    const server = this.#connect(vetted.address, target.port);
    server.once("connect", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      server.write(head);
      client.pipe(server).pipe(client);
    });
    server.once("error", () => (server.bytesRead === 0 ? answer("502 Bad Gateway") : client.destroy()));
    client.once("close", () => server.destroy());
  }

  async #forward(message: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const onward = this.#request(message, target, { address: vetted.address, path });
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
    { address, path }: { readonly address: string; readonly path: string },
  ): ClientRequest {
    return request({
      method: message.method,
      path: path.startsWith("/") ? path : `/${path}`,
      headers: {
        ...endToEnd(message.headersDistinct),
        host: target.port === 80 ? bracketed(target.host) : nameOf(target),
      },
      createConnection: () => this.#connect(address, target.port),
    });
  }

  /** A granted name without any address is nothing that was refused. */
  async #vet(target: HostAndPort): Promise<Vetted> {
    const grant = findGrant(this.#grants, target);
    if (grant !== undefined) {
      const addresses = isIP(target.host) === 0 ? await this.#resolve(target.host).catch(() => []) : [target.host];
      const [address] = addresses;
      if (address === undefined) return { type: "closed", isUnknown: true };
      if (mayConnect(grant, addresses)) return { type: "open", address };
    }
    if (this.#refused.size < maxRefusedHosts) this.#refused.add(nameOf(target));
    return { type: "closed", isUnknown: false };
  }

  #connect(address: string, port: number): Socket {
    const socket = connect({ host: address, port, timeout: proxyConnectTimeoutMs });
    socket.once("connect", () => socket.setTimeout(proxyIdleTimeoutMs));
    socket.once("timeout", () => socket.destroy(new Error("it took too long")));
    this.#track(socket);
    return socket;
  }

  #track(stream: Duplex): void {
    this.#open.add(stream);
    stream.once("close", () => this.#open.delete(stream));
  }
}

type Vetted =
  | { readonly type: "open"; readonly address: string }
  /** `isUnknown`: nobody knows its address. */
  | { readonly type: "closed"; readonly isUnknown: boolean };

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
