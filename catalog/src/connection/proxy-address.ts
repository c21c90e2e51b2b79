import { AppError } from "@capstan/protocol";

/**
 * The proxy's address as the transport takes it; `undefined`: none. Like curl, a bare `host:port` means plain http.
 * @throws {AppError} `config.invalid` for a kind of proxy that is not spoken here, such as SOCKS
 */
export function proxyAddress(text: string | null): string | undefined {
  const written = text?.trim() ?? "";
  if (written === "") return undefined;
  const address = written.includes("://") ? written : `http://${written}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && (url.protocol === "http:" || url.protocol === "https:")) return address;
  const kind = url === undefined ? "is no address" : `speaks ${url.protocol.slice(0, -1)}`;
  throw new AppError("config.invalid", `network.proxy ${kind}; only http and https proxies can be used`, {
    hint: "Set HTTPS_PROXY or network.proxy to http://host:port, or --set network.proxy= for none; ALL_PROXY counts where neither is set.",
  });
}
