import { AppError } from "@capstan/protocol";
import { type HostGrant, isLocalGrant, parseGrant, withOwn } from "./host-grants.ts";
import { HostProxy, type HostQuestion } from "./host-proxy.ts";
import type { ProxyChoice } from "./proxy-choice.ts";
import type { WayOut } from "./way-out.ts";

/** A command's way out of the sandbox, to some hosts. */
export interface OpenedHosts {
  readonly refused: () => readonly string[];
  /** What tells the command's programs of the proxy. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

export interface WantedHosts {
  readonly hosts: readonly string[];
  /** Those that the user named one by one. */
  readonly own: readonly string[];
  /** Asked about others; without it they are refused. */
  readonly mayReach: HostQuestion | undefined;
  readonly proxyFor: ProxyChoice | undefined;
}

/**
 * @param open  gives the way out of the command's network
 * @throws AppError `sandbox.failed` for a grant that names no host; the system's error
 */
export async function openHosts(
  { hosts, own, mayReach, proxyFor }: WantedHosts,
  open: () => Promise<WayOut>,
): Promise<OpenedHosts> {
  const grants = withOwn(hosts.map(grantOf), own);
  const proxy = new HostProxy(grants, { mayReach, proxyFor });
  const admission = (await open()).admit(proxy);
  return {
    refused: () => proxy.refused,
    environment: environmentOf(admission.url, grants.some(isLocalGrant)),
    close: () => admission.close(),
  };
}

/** @param proxiesLocal  connections to this machine are for the proxy as well */
function environmentOf(url: string, proxiesLocal: boolean): Readonly<Record<string, string>> {
  const direct = proxiesLocal ? "" : "localhost,127.0.0.1,::1";
  return {
    ...Object.fromEntries(proxyVariables.map((name) => [name, url])),
    ...Object.fromEntries(directVariables.map((name) => [name, direct])),
    NODE_USE_ENV_PROXY: "1",
  };
}

const proxyVariables = [
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "http_proxy",
  "https_proxy",
  "npm_config_proxy",
  "npm_config_https_proxy",
] as const;
const directVariables = ["NO_PROXY", "no_proxy", "npm_config_noproxy"] as const;

function grantOf(host: string): HostGrant {
  const grant = parseGrant(host);
  if (grant !== undefined) return grant;
  throw new AppError("sandbox.failed", `${JSON.stringify(host)} names no host: write name, name:port or *.name.`);
}
