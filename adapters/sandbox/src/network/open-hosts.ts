import { createServer } from "node:http2";
import { Duplex } from "node:stream";
import { AppError } from "@capstan/protocol";
import { maxProxyConnections } from "../limits.ts";
import { type HostGrant, isLocalGrant, parseGrant, withOwn } from "./host-grants.ts";
import { HostProxy, type HostQuestion } from "./host-proxy.ts";
import type { ProxyChoice } from "./user-proxy.ts";
import { openChannel } from "./open-channel.ts";
import { programEnvironmentVariable, relayScript } from "./relay-script.ts";

/** A way out of the sandbox, to some hosts. */
export interface OpenedHosts {
  /** For the program inside. */
  readonly descriptor: number;
  readonly refused: () => readonly string[];
  /** The relay that starts the program. @param descriptor  what ours is called inside */
  readonly program: (descriptor: number, program: readonly string[]) => readonly string[];
  readonly environment: (environment: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
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
 * @param node  runs the relay
 * @throws AppError `sandbox.failed` for a grant that names no host; the system's error
 */
export async function openHosts(
  { hosts, own, mayReach, proxyFor }: WantedHosts,
  directory: string,
  node: string,
): Promise<OpenedHosts> {
  const grants = withOwn(hosts.map(grantOf), own);
  const proxy = new HostProxy(grants, { mayReach, proxyFor });
  const channel = await openChannel(directory);
  const server = createServer({ settings: { maxConcurrentStreams: maxProxyConnections }, maxSessionMemory: 16 });
  server.on("session", (session) => session.on("error", () => session.destroy()));
  server.on("stream", (stream) => {
    stream.respond({ ":status": 200 });
    // Node's HTTP server would take the handle of an HTTP/2 stream for a socket's.
    proxy.accept(Duplex.from({ readable: stream, writable: stream }));
  });
  server.emit("connection", channel.ours);
  const proxyLocal = grants.some(isLocalGrant) ? "1" : "0";
  return {
    descriptor: channel.descriptor,
    refused: () => proxy.refused,
    program: (descriptor, program) => [node, "-e", relayScript, "--", String(descriptor), proxyLocal, ...program],
    environment: (environment) => ({
      ...Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith("CAPSTAN_"))),
      [programEnvironmentVariable]: JSON.stringify(environment),
    }),
    close: () => {
      proxy.close();
      channel.close();
    },
  };
}

function grantOf(host: string): HostGrant {
  const grant = parseGrant(host);
  if (grant !== undefined) return grant;
  throw new AppError("sandbox.failed", `${JSON.stringify(host)} names no host: write name, name:port or *.name.`);
}
