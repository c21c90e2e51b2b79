import type { JsonValue } from "@capstan/protocol";
import type { ProviderOptions } from "@capstan/ports";
import { createFailures } from "./shared/failures.ts";
import { createConnectionPool } from "./shared/http/connection-pool.ts";
import { toEndpoint } from "./shared/http/endpoint.ts";
import { getDocument } from "./shared/http/get-document.ts";

/**
 * Gets a JSON document from `baseUrl`, the way model calls go: through the proxy, with the same trust and patience. No key is sent.
 * @throws {ProviderError}, or the signal's reason
 */
export async function fetchJson(options: ProviderOptions, limitBytes: number, signal: AbortSignal): Promise<JsonValue> {
  const endpoint = toEndpoint(options, []);
  const pool = createConnectionPool(options, endpoint);
  const headers = { "accept-encoding": "gzip", "user-agent": "capstan", ...options.headers };
  try {
    return await getDocument(
      { options, endpoint, pool, failures: createFailures(options), headers, signal },
      limitBytes,
    );
  } finally {
    pool.close();
  }
}
