import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { boundedFetch } from "./bounded-fetch.ts";

/** Addresses inside of networks: no public server sends anybody there. */
const inside = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  inside.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
  ["::ffff:0:0", 96],
] as const)
  inside.addSubnet(network, bits, "ipv6");

/**
 * Requests of a login, whose addresses the server names: none into this machine's networks, unless the server that the user configured is there itself,
 * and none without encryption but on this machine.
 * @param serverUrl  as the user configured it
 */
export function oauthFetch(serverUrl: string): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const own = new URL(serverUrl);
  const known = isInside(own.hostname);
  return async (url, init) => {
    const address = new URL(url);
    if (address.origin === own.origin) return await boundedFetch(address, init);
    const isNear = await isInside(address.hostname);
    if (isNear && !(await known))
      throw new Error(`it names ${address.origin} for the login, which lies inside of your network`);
    if (address.protocol !== "https:" && !isNear)
      throw new Error(`it names ${address.origin} for the login, without encryption`);
    return await boundedFetch(address, init);
  };
}

async function isInside(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses =
    isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host, family: isIP(host) }];
  return addresses.some(({ address, family }) => inside.check(address, family === 6 ? "ipv6" : "ipv4"));
}
