import type { ModelProvider, ProviderOptions, Wires } from "@capstan/ports";
import type { CapstanConfig, Settings } from "@capstan/settings";
import { proxyAddress } from "./connection/proxy-address.ts";
import type { Environment, ResolvedProvider } from "./resolve-provider.ts";
import { trustedCertificates } from "./connection/trusted-certificates.ts";

const msPerSecond = 1000;

/** Makes the client of a provider. @throws {AppError} `config.invalid`, `config.unreadable` */
export async function makeProvider(
  provider: ResolvedProvider,
  { loaded: { values: config }, env }: Pick<Settings, "loaded" | "env">,
  { createProvider }: Pick<Wires, "createProvider">,
): Promise<ModelProvider> {
  const { name, baseUrl, apiKey, keyHint, headers, query, body, keyHeader } = provider;
  return await createProvider(provider.wire, {
    name,
    baseUrl,
    apiKey,
    keyHint,
    headers,
    query,
    body,
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(await connectionOptions(baseUrl, config, env)),
  });
}

type ConnectionOptions = Pick<
  ProviderOptions,
  "connectTimeoutMs" | "firstByteTimeoutMs" | "idleTimeoutMs" | "proxyUrl" | "noProxy" | "caCertificates"
>;

/** How an address is reached: patience, proxy, trust. @throws {AppError} `config.invalid`, `config.unreadable` */
export async function connectionOptions(
  baseUrl: string,
  { network }: CapstanConfig,
  env: Environment,
): Promise<ConnectionOptions> {
  // Plain http stays on this machine, so that a proxy which cannot be used is no obstacle to a local server.
  const local = new URL(baseUrl).protocol === "http:";
  const proxyUrl = local ? undefined : proxyAddress(network.proxy);
  const caCertificates = await trustedCertificates(network.ca_file, env);
  return {
    connectTimeoutMs: network.connect_timeout_seconds * msPerSecond,
    firstByteTimeoutMs: network.first_byte_timeout_seconds * msPerSecond,
    idleTimeoutMs: network.idle_timeout_seconds * msPerSecond,
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    ...(network.no_proxy === null ? {} : { noProxy: network.no_proxy }),
    ...(caCertificates === undefined ? {} : { caCertificates }),
  };
}
