import { AppError } from "@capstan/protocol";

/**
 * The endpoint to record, as clients name it: a base URL, with or without the path they put before every call.
 * @throws {AppError} `usage.invalid` for what is no address, and for plain http to anywhere but this machine: the key travels with it
 */
export function parseTarget(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new AppError("usage.invalid", `--target takes an http(s) address, not ${JSON.stringify(text)}`, {
      hint: "For example https://api.anthropic.com or https://api.openai.com/v1.",
    });
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new AppError("usage.invalid", "--target takes an address without user, query or fragment", {
      hint: "Give the key to the client, as without a recording.",
    });
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new AppError("usage.invalid", `--target ${url.origin}: plain http would show the key to the network`, {
      hint: "Use https; http is for this machine only (127.0.0.1, localhost, [::1]).",
    });
  }
  return url;
}

/**
 * Where a request that came here goes: what clients put behind this server's address stands behind the target's. Segments
 * that end the target's path and begin the request's are not repeated, so that a client may name them in its base URL or not.
 * @param target  path and query as they came
 */
export function forwardPath(base: string, target: string): string {
  const [path = "", ...query] = target.split("?");
  const [before, after] = [segmentsOf(base), path.split("/").slice(1)];
  const shared = [...before.keys()].find((at) => startsWith(after, before.slice(at))) ?? before.length;
  return [`/${[...before.slice(0, shared), ...after].join("/")}`, ...query].join("?");
}

function segmentsOf(path: string): readonly string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function startsWith(segments: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((segment, at) => segments[at] === segment);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}
