import { resolveHost } from "../address/vet-host.ts";
import type { Network } from "./request-page.ts";

/** The network as it is. */
export function networkOf({ proxy, ca }: { readonly proxy: string | null; readonly ca: string | undefined }): Network {
  return {
    resolve: resolveHost,
    dial: (host, port) => ({ host, port }),
    ...(proxy === null || proxy === "" ? {} : { proxy }),
    ...(ca === undefined ? {} : { ca }),
    userAgent: "capstan-webfetch/1.0",
  };
}
