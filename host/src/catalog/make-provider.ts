import { readFile } from "node:fs/promises";
import { createProvider } from "@capstan/providers";
import type { ModelProvider } from "@capstan/ports";
import { AppError, messageOf } from "@capstan/protocol";
import type { CapstanConfig } from "../config/keys/capstan-config.ts";
import type { ResolvedProvider } from "./resolve-provider.ts";

const msPerSecond = 1000;

/** Makes the client of a provider. */
export async function makeProvider(provider: ResolvedProvider, { network }: CapstanConfig): Promise<ModelProvider> {
  const options = {
    name: provider.name,
    baseUrl: provider.baseUrl,
    apiKey: provider.apiKey,
    keyHint: provider.keyHint,
    headers: provider.headers,
    connectTimeoutMs: network.connect_timeout_seconds * msPerSecond,
    firstByteTimeoutMs: network.first_byte_timeout_seconds * msPerSecond,
    idleTimeoutMs: network.idle_timeout_seconds * msPerSecond,
    ...(network.proxy === null ? {} : { proxyUrl: network.proxy }),
    ...(network.no_proxy === null ? {} : { noProxy: network.no_proxy }),
    ...(network.ca_file === null ? {} : { caCertificates: await readCertificates(network.ca_file) }),
  };
  return createProvider(provider.wire, options);
}

async function readCertificates(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new AppError("config.unreadable", `network.ca_file cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
