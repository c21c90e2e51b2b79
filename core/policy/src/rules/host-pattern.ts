import type { NetworkUse, Rule } from "@capstan/protocol";

/** Ports a host means when none is said. */
const usualPorts: ReadonlySet<string> = new Set(["80", "443"]);

/**
 * Whether a pattern (`example.org`, `*.example.org`, `example.org:8443`) speaks of a host (`name` or `name:port`). A star stands
 * for whole labels before the dot and never for the name itself; `*` alone is every host. Without a port a pattern means the
 * usual ones.
 */
export function coversHost(pattern: string, host: string): boolean {
  const wanted = splitHost(host);
  const ruled = splitHost(pattern);
  if (ruled.port !== undefined ? ruled.port !== wanted.port : !usualPorts.has(wanted.port ?? "443")) return false;
  if (ruled.name === "*") return true;
  if (ruled.name.startsWith("*."))
    return wanted.name.endsWith(ruled.name.slice(1)) && wanted.name.length > ruled.name.length - 1;
  return ruled.name === wanted.name;
}

/**
 * Whether a pattern opens a host: a star opens public names only. Addresses, names of this machine and names without a dot must
 * stand there as they are.
 */
export function opensHost(pattern: string, host: string): boolean {
  return coversHost(pattern, host) && (!pattern.includes("*") || isPublicName(splitHost(host).name));
}

/**
 * Whether a pattern for addresses (a host, or a host and the beginning of a path: `example.org/docs`) covers one. A path that servers read in
 * more than one way is covered by what restricts, and by nothing that allows.
 */
export function coversAddress(pattern: string, address: NetworkUse, verdict: Rule["verdict"]): boolean {
  const [host, prefix] = splitAddress(pattern);
  const isHost = verdict === "allow" ? opensHost(host, address.host) : coversHost(host, address.host);
  if (!isHost || prefix === undefined) return isHost;
  if (/%2f|%5c|%2e|\\|\/\//i.test(address.path)) return verdict !== "allow";
  return prefix.endsWith("/")
    ? address.path.startsWith(prefix)
    : address.path === prefix || address.path.startsWith(`${prefix}/`);
}

/** What is wrong with a pattern for addresses; `undefined`: nothing. */
export function problemOfAddress(pattern: string): string | undefined {
  const [host, prefix] = splitAddress(pattern);
  const problem = problemOfHost(host);
  if (problem !== undefined || prefix === undefined) return problem;
  return /^\/[\w.~!$&'()+,;=:@%/-]*$/.test(prefix)
    ? undefined
    : "write a path as it begins, as in `example.org/docs/`, without `*` and `?`";
}

function splitAddress(pattern: string): readonly [host: string, prefix?: string] {
  const at = pattern.indexOf("/");
  return at === -1 ? [pattern] : [pattern.slice(0, at), pattern.slice(at)];
}

/** A name with a dot whose last part is no number, in any spelling of one, and that does not mean this machine. */
function isPublicName(name: string): boolean {
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  if (labels.length < 2 || labels.includes("") || !/^[\p{L}\p{N}_.-]+$/u.test(name)) return false;
  return /\p{L}/u.test(last) && !/^0x/i.test(last) && last !== "localhost";
}

/** What is wrong with a host pattern; `undefined`: nothing. */
export function problemOfHost(pattern: string): string | undefined {
  const { name, port } = splitHost(pattern);
  const own = name.replace(/^\*\./, "");
  const isNumber = /^(?:\d+|0x[0-9a-f]*)$/.test(own.split(".").at(-1) ?? "");
  const isPlain = !isNumber || (own === name && own.split(".").length === 4 && own.split(".").every(isByte));
  if (!isPlain || own.includes("..") || (port !== undefined && !(Number(port) > 0 && Number(port) < 65_536)))
    return "no host is ever called so: write an address as `10.0.0.1` or `[::1]`, and a port from 1 to 65535";
  if (pattern === "*" || /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/.test(pattern))
    return undefined;
  if (/^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/.test(pattern)) return undefined;
  return "write a host as `example.org`, `*.example.org` or `example.org:8443`, in ASCII";
}

/** One part of an address as everybody writes it. */
function isByte(text: string): boolean {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) < 256;
}

function splitHost(text: string): { readonly name: string; readonly port: string | undefined } {
  const [, name = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  return { name: name.toLowerCase().replace(/\.$/, ""), port };
}
