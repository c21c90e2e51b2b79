import { isIP } from "node:net";
import { isPublicAddress } from "@capstan/patterns";
import type { PageAddress } from "@capstan/ports";
import { maxUrlLength } from "../limits.ts";
import { WebError } from "../web-error.ts";

/**
 * Reads the address of a page, as far as that needs no network. What programs read in different ways is refused: one of them checks, and
 * another one connects.
 * @throws WebError
 */
export function readAddress(text: string, ports: readonly number[]): PageAddress {
  if (text.length > maxUrlLength)
    throw new WebError("invalid_url", `the address is longer than ${maxUrlLength} characters`);
  if (/[\s\p{C}\\]/u.test(text))
    throw new WebError("invalid_url", "the address holds blanks, control characters or a backslash");
  const [, scheme] = /^([a-z][a-z0-9+.-]*):/i.exec(text) ?? [];
  if (scheme === undefined) throw new WebError("invalid_url", "write the whole address, as https://example.org/page");
  if (!/^https?$/i.test(scheme)) throw new WebError("invalid_scheme", "only http and https addresses are fetched");
  const [, authority = ""] = /^[^:]+:\/\/([^/?#]*)/.exec(text) ?? [];
  if (authority === "") throw new WebError("invalid_host", "the address names no host");
  if (authority.includes("@"))
    throw new WebError("invalid_url", "an address with a user name or password is not fetched");
  const url = parsed(text);
  const host = hostOf(url, authority);
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (!ports.includes(port))
    throw new WebError("port_blocked", `port ${port} is not fetched from; allowed: ${ports.join(", ")}`);
  refusePrivate(host);
  url.hash = "";
  return {
    type: "address",
    url: url.href,
    host: port === 80 || port === 443 ? bracketed(host) : `${bracketed(host)}:${port}`,
    path: url.pathname,
    query: url.search.slice(1),
  };
}

/** @throws WebError `ssrf_blocked` for a host that is known, without asking, not to be public */
export function refusePrivate(host: string): void {
  const isOwn = /(?:^|\.)(?:localhost|local|internal)$/.test(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isOwn)
    throw new WebError("ssrf_blocked", `${host} is no address of the public internet; only such are fetched from`);
}

/** The host of an address that was read, as connections name it. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
}

function parsed(text: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new WebError("invalid_host", "the address cannot be read: its host or port is none", { cause: error });
  }
}

/** Numbers that mean an address in some other spelling are refused; a name is what it is after IDNA. */
function hostOf(url: URL, authority: string): string {
  const host = plainHost(url);
  const written = authority
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  const isOdd = isIP(host) === 4 && written !== host;
  if (host === "" || /%/.test(authority) || isOdd)
    throw new WebError("invalid_host", "write the host as a name, or an address in its usual spelling");
  url.hostname = bracketed(host);
  return host;
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
