/** Why a connection was refused, and what would open it: one line's part. */
export interface Refusal {
  /** For the end of the sentence about what was refused; empty where nothing is to be added. */
  readonly why: string;
  /** What is to be asked for. */
  readonly ask: string;
}

/**
 * What is true of a refused place, by the hosts that were open.
 * @param refused  `host:port`
 */
export function refusalOf(refused: string, hosts: readonly string[]): Refusal {
  const wanted = placeOf(refused);
  const named = hosts.map((host) => placeOf(host)).filter(({ name }) => isNamed(name, wanted.name));
  if (named.some(({ port }) => port === wanted.port || (port === undefined && usualPorts.has(wanted.port ?? ""))))
    return { why: ", which is an address of a private network or of this machine", ask: privately };
  if (named.length === 0) return { why: "", ask: "ask with network: [host]" };
  return { why: " (a host without a port means 80 and 443)", ask: `ask with network: ["${refused}"]` };
}

const privately = "only the user opens those, by that very name in `sandbox.hosts` of their own configuration";
const usualPorts: ReadonlySet<string> = new Set(["80", "443"]);

function isNamed(pattern: string, name: string): boolean {
  return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : pattern === "*" || pattern === name;
}

function placeOf(text: string): { readonly name: string; readonly port: string | undefined } {
  const [, name = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  return { name: name.toLowerCase(), port };
}
