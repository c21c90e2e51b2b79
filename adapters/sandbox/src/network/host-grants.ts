import { isIP } from "node:net";
import { isLoopbackAddress, isPrivateAddress, isPublicAddress } from "@capstan/patterns";

/** Where a connection is to go, in one spelling: small letters, IDNA, no dot at the end, IPv6 without brackets. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** A host that may be reached. */
export interface HostGrant {
  readonly host: string;
  /** Only names that end in a dot and `host`. */
  readonly isSuffix: boolean;
  /** Without one: 80 and 443. */
  readonly port: number | undefined;
  /** The user named exactly this one in their own configuration. */
  readonly isOwn?: true;
}

/** @param text  `name`, `name:port`, `*.name`, an address; @returns `undefined` for what names no host */
export function parseGrant(text: string): HostGrant | undefined {
  const isSuffix = text.startsWith("*.");
  const [, name = "", port] =
    /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(isSuffix ? text.slice(2) : bracketed(text)) ?? [];
  const host = normalHost(name);
  const number = port === undefined ? undefined : Number(port);
  if (host === undefined || (isSuffix && isIP(host) !== 0) || (number !== undefined && !isPort(number)))
    return undefined;
  return { host, isSuffix, port: number };
}

/** @param authority  `host:port` as a client writes it; @returns `undefined` for anything that could be read in two ways */
export function parseAuthority(authority: string, defaultPort?: number): HostAndPort | undefined {
  const [, name = "", port] = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const host = normalHost(name);
  const number = port === undefined ? defaultPort : Number(port);
  return host === undefined || number === undefined || !isPort(number) ? undefined : { host, port: number };
}

/** The grant that opens this place. */
export function findGrant(grants: readonly HostGrant[], { host, port }: HostAndPort): HostGrant | undefined {
  return grants.find((grant) => {
    const isNamed = grant.isSuffix ? host.endsWith(`.${grant.host}`) : host === grant.host;
    return isNamed && (grant.port === undefined ? port === 80 || port === 443 : port === grant.port);
  });
}

/** Whether all of a host's addresses may be connected to: one that may not is enough to refuse them all. */
export function mayConnect(grant: HostGrant, addresses: readonly string[]): boolean {
  if (addresses.length === 0) return false;
  // The user named this very address, or a port of this machine.
  if (isIP(grant.host) !== 0) return addresses.every((address) => address === grant.host);
  if (grant.isOwn === true && grant.host !== "localhost" && !grant.isSuffix)
    return addresses.every((address) => isPublicAddress(address) || isPrivateAddress(address));
  if (grant.host === "localhost" && grant.port !== undefined) return addresses.every(isLoopbackAddress);
  return addresses.every(isPublicAddress);
}

/** The same grants, those marked that stand literally among the user's own: a mirror of their own network is reached by its name. */
export function withOwn(grants: readonly HostGrant[], own: readonly string[]): readonly HostGrant[] {
  const named = own.flatMap((text) => parseGrant(text) ?? []);
  return grants.map((grant) =>
    named.some(({ host, port, isSuffix }) => !isSuffix && host === grant.host && port === grant.port)
      ? { ...grant, isOwn: true }
      : grant,
  );
}

/** Whether what it opens lies on this machine. */
export function isLocalGrant({ host }: HostGrant): boolean {
  return host === "localhost" || isLoopbackAddress(host);
}

/** Whether a user can be asked about it: addresses and names of this machine stand in the user's own configuration, or are closed. */
export function isPublicName(host: string): boolean {
  return isIP(host) === 0 && host.includes(".") && !/\.(?:localhost|local|internal)$/.test(host);
}

function isPort(port: number): boolean {
  return port > 0 && port < 65_536;
}

function bracketed(text: string): string {
  return isIP(text) === 6 ? `[${text}]` : text;
}

function normalHost(name: string): string | undefined {
  // Whatever ends a host in a URL, or is read differently by others.
  if (name === "" || name.length > 255 || /[\s\p{C}%@/\\?#:]/u.test(name.replace(/^\[.*\]$/, ""))) return undefined;
  try {
    const { hostname } = new URL(`http://${name}/`);
    const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
    return host === "" ? undefined : host;
  } catch {
    return undefined;
  }
}
