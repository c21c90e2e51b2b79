import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "@capstan/patterns";
import { boundedFetch } from "./bounded-fetch.ts";

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

/** Whether it leads to an address inside of networks: no public server sends anybody there. */
async function isInside(hostname: string): Promise<boolean> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }];
  return addresses.some(({ address }) => !isPublicAddress(address));
}
