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

/** What is wrong with a host pattern; `undefined`: nothing. */
export function problemOfHost(pattern: string): string | undefined {
  if (pattern === "*" || /^(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?$/.test(pattern))
    return undefined;
  if (/^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/.test(pattern)) return undefined;
  return "write a host as `example.org`, `*.example.org` or `example.org:8443`, in ASCII";
}

function splitHost(text: string): { readonly name: string; readonly port: string | undefined } {
  const [, name = text, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text) ?? [];
  return { name: name.toLowerCase().replace(/\.$/, ""), port };
}
