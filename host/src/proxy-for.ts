import { proxyAddress } from "@capstan/catalog";
import type { HostPlace } from "@capstan/ports";
import type { Settings } from "./load-settings.ts";

/**
 * The proxy of the user's own configuration or environment through which commands reach a granted host: the same as for providers.
 * @returns `undefined`: directly
 * @throws AppError `config.invalid` for a kind of proxy that is not spoken here
 */
export async function proxyFor(
  network: Settings["loaded"]["values"]["network"],
  { host, port }: HostPlace,
): Promise<string | undefined> {
  const proxy = proxyAddress(network.proxy);
  if (proxy === undefined) return undefined;
  const { bypassesProxy } = await import("@capstan/providers");
  const loopback = /^(?:localhost|127\.[\d.]+|::1)$/.test(host);
  const endpoint = { hostname: host, port, loopback, secure: false };
  return bypassesProxy(endpoint, network.no_proxy ?? "") ? undefined : proxy;
}
