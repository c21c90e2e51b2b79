import { Agent, type ClientRequest, request, type RequestOptions } from "node:http";
import type { SecureContext } from "node:tls";
import { limits } from "../../limits.ts";
import type { ProviderOptions } from "@capstan/ports";
import { bypassesProxy } from "./bypasses-proxy.ts";
import type { Endpoint } from "./endpoint.ts";

/** Kept-alive connections of one provider. */
export interface ConnectionPool {
  /** Begins a request to the pool's host; the path is the endpoint's unless another is given. TLS, proxy and certificate code is loaded by the first call that needs it. */
  begin(options: RequestOptions): Promise<ClientRequest>;
  close(): void;
}

type Begin = (options: RequestOptions) => ClientRequest;

/** One pool for one endpoint; idle connections stay open for `limits.keptAliveMs`. */
export function createConnectionPool(options: ProviderOptions, endpoint: Endpoint): ConnectionPool {
  let opening: Promise<Begin> | undefined;
  let agent: Agent | undefined;
  const open = async (): Promise<Begin> => {
    const trust =
      options.caCertificates === undefined || !endpoint.secure ? {} : await trusting(options.caCertificates);
    agent = await createAgent(options, endpoint, trust);
    const route: RequestOptions = { hostname: endpoint.hostname, port: endpoint.port, path: endpoint.path, agent };
    if (!endpoint.secure) return (own) => request({ ...route, ...own });
    const { request: secureRequest } = await import("node:https");
    // The proxy's agent guesses from a stack trace whether a connection is secure, and would never find a kept one again.
    const secure = { ...route, ...trust, secureEndpoint: true };
    return (own) => secureRequest({ ...secure, ...own });
  };
  return {
    begin: async (own) => {
      opening ??= open();
      return (await opening)(own);
    },
    close: () => agent?.destroy(),
  };
}

/** @param trust  counts for the proxy as well, which may have the company's certificate itself */
async function createAgent(options: ProviderOptions, endpoint: Endpoint, trust: Trust): Promise<Agent> {
  const kept = { keepAlive: true, timeout: limits.keptAliveMs };
  if (options.proxyUrl !== undefined && !bypassesProxy(endpoint, options.noProxy ?? "")) {
    const { HttpsProxyAgent } = await import("https-proxy-agent");
    return new HttpsProxyAgent(options.proxyUrl, { ...kept, ...trust });
  }
  if (!endpoint.secure) return new Agent(kept);
  const { Agent: SecureAgent } = await import("node:https");
  return new SecureAgent(kept);
}

interface Trust {
  readonly secureContext?: SecureContext;
}

async function trusting(caCertificates: string): Promise<Trust> {
  const { createSecureContext, rootCertificates } = await import("node:tls");
  return { secureContext: createSecureContext({ ca: [...rootCertificates, caCertificates] }) };
}
