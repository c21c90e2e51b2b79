import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isPublicAddress } from "@capstan/patterns";
import { maxLookups } from "../limits.ts";
import { WebError } from "../web-error.ts";
import { refusePrivate } from "./read-address.ts";

/** Finds all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/**
 * The address to connect to. One that is not public among those of a name is enough to refuse them all: nobody knows which of them another
 * look would give.
 * @throws WebError; the signal's reason
 */
export async function vetHost(host: string, resolve: Resolve, signal: AbortSignal): Promise<string> {
  refusePrivate(host);
  const addresses = isIP(host) === 0 ? await addressesOf(host, resolve, signal) : [host];
  const [address] = addresses;
  if (address === undefined) throw new WebError("dns_failed", `nobody knows an address of ${host}`);
  const other = addresses.find((each) => !isPublicAddress(each));
  if (other !== undefined)
    throw new WebError("ssrf_blocked", `${host} leads to ${other}, which is no address of the public internet`);
  return address;
}

export async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await unlessAborted(resolve(host), signal);
    } catch (error) {
      signal.throwIfAborted();
      const isUnknown = error instanceof Error && "code" in error && error.code === "ENOTFOUND";
      if (isUnknown) throw new WebError("dns_failed", `no host is called ${host}`, { cause: error });
      if (attempt === maxLookups)
        throw new WebError("dns_failed", `the address of ${host} cannot be found out`, {
          cause: error,
          retryable: true,
        });
    }
  }
}

/** A look-up of the system cannot be ended; nobody waits for it any longer. */
function unlessAborted<T>(pending: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    void pending.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
