import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Server as Listener } from "node:net";
import type { Duplex } from "node:stream";
import { maxProxyHeaderBytes, maxWayOutConnections, proxyHeadTimeoutMs } from "../limits.ts";
import type { HostProxy } from "./host-proxy.ts";

/** One command's use of it. */
export interface Admission {
  /** The address of the proxy, with the name and word by which the command is known. */
  readonly url: string;
  /** Its word means nothing any more, and its connections end. */
  close(): void;
}

/**
 * The only way out of a network that the commands of a session share: a proxy that listens in it. Who connects is known by a word that is
 * given to one command and lasts as long as that: others can reach the port, and no host through it.
 */
export class WayOut {
  readonly #server: Server;
  readonly #port: number;
  readonly #commands = new Map<string, HostProxy>();

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on("connect", (message: IncomingMessage, client: Duplex, head: Buffer) => {
      client.on("error", () => client.destroy());
      const proxy = this.#proxyOf(message);
      if (proxy === undefined) client.end(`HTTP/1.1 407 ${unknownText}\r\n${challenge}\r\nConnection: close\r\n\r\n`);
      else void proxy.tunnel(message, client, head);
    });
    server.on("request", (message, response) => {
      const proxy = this.#proxyOf(message);
      if (proxy !== undefined) return void proxy.forward(message, response);
      response.writeHead(407, unknownText, { "proxy-authenticate": challengeValue, connection: "close" }).end();
    });
    server.on("clientError", (_error, client) => client.destroy());
  }

  /**
   * @param listener  bound in the network; from now on it belongs to the way out
   * @throws the system's error
   */
  static async through(listener: Listener): Promise<WayOut> {
    const server = createServer({
      maxHeaderSize: maxProxyHeaderBytes,
      headersTimeout: proxyHeadTimeoutMs,
      connectionsCheckingInterval: proxyHeadTimeoutMs / 2,
      requestTimeout: 0,
      keepAliveTimeout: proxyHeadTimeoutMs,
    });
    server.maxConnections = maxWayOutConnections;
    await once(server.listen(listener), "listening");
    // It is nothing that this process lives for.
    server.unref();
    const address = server.address();
    if (typeof address === "object" && address !== null) return new WayOut(server, address.port);
    server.close();
    throw new Error("the way out of the sandbox has no address");
  }

  admit(proxy: HostProxy): Admission {
    const word = randomBytes(16).toString("hex");
    this.#commands.set(word, proxy);
    return {
      url: `http://${proxyUser}:${word}@127.0.0.1:${this.#port}`,
      close: () => {
        this.#commands.delete(word);
        proxy.close();
      },
    };
  }

  close(): void {
    for (const proxy of this.#commands.values()) proxy.close();
    this.#commands.clear();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #proxyOf({ headers: { "proxy-authorization": given = "" } }: IncomingMessage): HostProxy | undefined {
    const [, encoded = ""] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(given) ?? [];
    const [user, word = ""] = Buffer.from(encoded, "base64").toString("latin1").split(":");
    return user === proxyUser ? this.#commands.get(word) : undefined;
  }
}

const proxyUser = "command";
const unknownText = "Not A Command Of This Session";
const challengeValue = 'Basic realm="sandbox"';
const challenge = `Proxy-Authenticate: ${challengeValue}`;
