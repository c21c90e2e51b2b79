import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { loginMs } from "../limits.ts";
import type { McpServer } from "../mcp-server.ts";
import { oauthFetch } from "../connect/oauth-fetch.ts";
import { refusalOf } from "./refusal-of.ts";
import { CredentialFile } from "./credential-file.ts";
import { StoredLogin } from "./stored-login.ts";

export interface LoginOptions {
  /** Where logins are kept. */
  readonly folder: string;
  /** Shows the user the address to open. */
  readonly show: (address: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Logs a user in to a server: discovery, registration of this client, the browser's answer on an address of this machine, tokens.
 * @throws Error in words for people
 */
export async function login({ name, place }: McpServer, { folder, show, signal }: LoginOptions): Promise<void> {
  if (place.type !== "http") throw new Error(`${name} is a program: there is nothing to log in to`);
  const { auth } = await import("@modelcontextprotocol/client");
  const file = new CredentialFile(folder, name, place.url);
  const answers = await openCallback();
  try {
    file.remove();
    const provider = new StoredLogin(name, file, {
      redirectUrl: `http://127.0.0.1:${answers.port}/callback`,
      open: (address) => show(address.href),
    });
    const fetchFn = oauthFetch(place.url);
    const asked = { serverUrl: place.url, fetchFn, ...(await refusalOf(place.url, fetchFn, signal)) };
    const begun = await auth(provider, asked);
    if (begun === "AUTHORIZED") return;
    const { code, iss } = await answers.next(provider.state(), AbortSignal.any([signal, AbortSignal.timeout(loginMs)]));
    await auth(provider, { ...asked, authorizationCode: code, ...(iss === null ? {} : { iss }) });
  } catch (error) {
    // Half a login is none.
    file.remove();
    throw error;
  } finally {
    answers.close();
  }
}

interface BrowserAnswer {
  readonly code: string;
  readonly iss: string | null;
}

interface Callback {
  readonly port: number;
  /** @throws Error when it was refused, is not ours, or does not come */
  next(state: string, signal: AbortSignal): Promise<BrowserAnswer>;
  close(): void;
}

/** Where the browser comes back to. Whoever does not bring the state of this login is not listened to. */
async function openCallback(): Promise<Callback> {
  let take: ((query: URLSearchParams) => boolean) | undefined;
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const isOurs = pathname === "/callback" && take?.(searchParams) === true;
    response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    response.end(isOurs ? "Capstan has the answer. You can close this window.\n" : "There is nothing here.\n");
  });
  await new Promise<void>((done, fail) => void server.listen(0, "127.0.0.1", done).once("error", fail));
  const { port } = server.address() as AddressInfo; // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return {
    port,
    next: async (state, signal) =>
      await new Promise<BrowserAnswer>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("nobody allowed it in time")), { once: true });
        take = (query) => {
          if (query.get("state") !== state) return false;
          const code = query.get("code");
          if (code === null) reject(new Error(`it was refused: ${query.get("error") ?? "no code came"}`));
          else resolve({ code, iss: query.get("iss") });
          return true;
        };
      }),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
