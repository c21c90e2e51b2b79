import { type ClientRequest, type IncomingMessage, type RequestOptions } from "node:http";
import { isIP } from "node:net";
import { plainHost } from "../address/read-address.ts";
import { type Resolve, vetHost } from "../address/vet-host.ts";
import { maxHeaderBytes } from "../limits.ts";
import { WebError } from "../web-error.ts";

/** How the network is reached. */
export interface Network {
  readonly resolve: Resolve;
  /** Where a connection to an address that was checked really goes: there, but in tests. */
  readonly dial: (address: string, port: number) => { readonly host: string; readonly port: number };
  /** The user's own proxy; it is asked for the address that was checked, never for a name. */
  readonly proxy?: string;
  /** PEM of authorities to trust besides the usual ones. */
  readonly ca?: string;
  readonly userAgent: string;
}

/** What is sent beside the address. */
export interface Sent {
  readonly method?: "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Asks for one page, once: the name is looked up, its addresses are checked, and the connection goes to the one that was.
 * @returns the beginning of the answer; its body is still to be read, or to be destroyed
 * @throws WebError; the signal's reason
 */
export async function requestPage(
  url: URL,
  network: Network,
  signal: AbortSignal,
  sent: Sent = {},
): Promise<IncomingMessage> {
  const host = plainHost(url);
  const address = await vetHost(host, network.resolve, signal);
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const options: RequestOptions & { readonly servername?: string; readonly ca?: string[] } = {
    ...network.dial(address, port),
    method: sent.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    // Nothing that a page or a user has set before: no cookie, no credential.
    headers: { host: url.host, "accept-encoding": "gzip, deflate, br", ...usualHeaders(network), ...sent.headers },
    maxHeaderSize: maxHeaderBytes,
    agent: await agentFor(network),
    signal,
    ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    ...(network.ca === undefined ? {} : { ca: await authorities(network.ca) }),
  };
  const { request } = isSecure ? await import("node:https") : await import("node:http");
  return await answerTo(request(options), sent.body, signal);
}

function usualHeaders({ userAgent }: Network): Readonly<Record<string, string>> {
  return { "user-agent": userAgent, accept: "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1" };
}

async function agentFor({ proxy }: Network): Promise<RequestOptions["agent"]> {
  if (proxy === undefined) return false;
  const { HttpsProxyAgent } = await import("https-proxy-agent");
  return new HttpsProxyAgent(proxy, { keepAlive: false });
}

async function authorities(own: string): Promise<string[]> {
  const { rootCertificates } = await import("node:tls");
  return [...rootCertificates, own];
}

function answerTo(request: ClientRequest, body: string | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once("response", resolve);
    // A connection that ends badly after the answer began is reported by its body.
    request.on("error", (error) => reject(signal.aborted ? signal.reason : networkError(error)));
    request.end(body);
  });
}

/** What the system says of a connection; nothing of it is the page's. */
export function networkError(error: unknown): WebError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const isTooLong = code === "HPE_HEADER_OVERFLOW";
  const text = isTooLong ? `its headers are larger than ${maxHeaderBytes} bytes` : "the connection failed";
  return new WebError("network", code === "" ? text : `${text} (${code})`, { cause: error, retryable: !isTooLong });
}
