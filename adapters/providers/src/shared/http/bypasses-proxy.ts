import type { Endpoint } from "./endpoint.ts";

/**
 * Whether a request goes straight to its host although a proxy is configured.
 * Plain http on this machine always does: no proxy could reach a local server.
 * @param noProxy  names, `.suffixes`, `host:port` or `*`, separated by commas or spaces
 */
export function bypassesProxy(
  endpoint: Pick<Endpoint, "hostname" | "port" | "loopback" | "secure">,
  noProxy: string,
): boolean {
  if (endpoint.loopback && !endpoint.secure) return true;
  const host = endpoint.hostname.toLowerCase();
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry, host, endpoint.port));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === "*") return true;
  const [, name = "", entryPort] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(entry) ?? [];
  if (entry.replace(/^\[|\]$/g, "") === host) return true;
  if (entryPort !== undefined && Number(entryPort) !== port) return false;
  const suffix = name.replace(/^\*?\./, "");
  return suffix !== "" && (host === suffix || host.endsWith(`.${suffix}`));
}
