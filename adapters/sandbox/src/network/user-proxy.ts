import { type ClientRequest, request, type RequestOptions } from "node:http";
import { request as requestSafely } from "node:https";
import type { Duplex } from "node:stream";
import type { HostPlace } from "@capstan/ports";
import { proxyConnectTimeoutMs } from "../limits.ts";

/** The address of the user's own proxy, through which a place is reached; `undefined`: directly. */
export type ProxyChoice = (place: HostPlace) => Promise<string | undefined>;

/**
 * A connection to a place through the user's own proxy.
 * @param authority  `host:port`
 * @throws Error when the proxy cannot be reached or refuses
 */
export async function tunnelThrough(proxy: string, authority: string): Promise<Duplex> {
  const asked = ask(proxy, { method: "CONNECT", path: authority, headers: { host: authority } });
  return await new Promise((resolve, reject) => {
    asked.once("connect", (answer, stream) => {
      if (answer.statusCode === 200) return resolve(stream);
      stream.destroy();
      reject(new Error(`the proxy answered ${answer.statusCode}`));
    });
    asked.once("response", (answer) => {
      answer.destroy();
      reject(new Error(`the proxy answered ${answer.statusCode}`));
    });
    asked.once("timeout", () => asked.destroy(new Error("the proxy took too long")));
    asked.once("error", reject);
    asked.end();
  });
}

/** A request for plain HTTP, handed to the user's own proxy; its headers name the host. */
export function requestThrough(
  proxy: string,
  { method, path, headers }: { readonly method: string | undefined; readonly path: string; readonly headers: Headers },
): ClientRequest {
  return ask(proxy, { method, path: `http://${headers.host}${path}`, headers });
}

interface Headers extends Record<string, string | string[]> {
  readonly host: string;
}

function ask(proxy: string, options: RequestOptions): ClientRequest {
  const { protocol, hostname, port, username, password } = new URL(proxy);
  const known = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = { "proxy-authorization": `Basic ${Buffer.from(known).toString("base64")}` };
  const isSafe = protocol === "https:";
  return (isSafe ? requestSafely : request)({
    ...options,
    agent: false,
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (isSafe ? 443 : 80) : Number(port),
    timeout: proxyConnectTimeoutMs,
    headers: { ...options.headers, ...(known === ":" ? {} : authorization) },
  });
}
