import { refusalMs } from "../limits.ts";

/** What a server says of a login as it refuses a request without one. */
export interface LoginRefusal {
  /** Where its metadata lie. */
  readonly resourceMetadataUrl?: URL;
  /** What it wants to be asked for. */
  readonly scope?: string;
}

/** Asks a server for a session without a login; nothing where it says nothing of one. Total. */
export async function refusalOf(
  url: string,
  fetchFn: (url: string | URL, init?: RequestInit) => Promise<Response>,
  signal: AbortSignal,
): Promise<LoginRefusal> {
  const { extractWWWAuthenticateParams, LATEST_PROTOCOL_VERSION } = await import("@modelcontextprotocol/client");
  const params = {
    protocolVersion: LATEST_PROTOCOL_VERSION,
    capabilities: {},
    clientInfo: { name: "capstan", version: "1" },
  };
  try {
    const response = await fetchFn(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(refusalMs)]),
    });
    await response.body?.cancel();
    if (response.status !== 401) return {};
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    return {
      ...(resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }),
      ...(scope === undefined ? {} : { scope }),
    };
  } catch {
    // What is wrong with the server is said where the login looks for its metadata.
    return {};
  }
}
