import { randomBytes } from "node:crypto";
import type { JsonValue } from "@capstan/protocol";
import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { CredentialFile } from "./credential-file.ts";

/** What happens when a user has to allow it in a browser; absent: nobody is there to do that. */
export interface Browser {
  /** Where the answer comes: an address of this machine. */
  readonly redirectUrl: string;
  open(address: URL): void;
}

/** A login of a user to a server: kept in a file, renewed by the library, begun only where there is a browser. */
export class StoredLogin implements OAuthClientProvider {
  readonly #file: CredentialFile;
  readonly #browser: Browser | null;
  readonly #server: string;
  readonly #state = randomBytes(16).toString("hex");
  #verifier = "";

  constructor(server: string, file: CredentialFile, browser: Browser | null) {
    this.#server = server;
    this.#file = file;
    this.#browser = browser;
  }

  get redirectUrl(): string {
    // Where nobody can log in, a login is never begun.
    return this.#browser?.redirectUrl ?? "http://127.0.0.1/callback";
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Capstan",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }

  state(): string {
    return this.#state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.#read<StoredOAuthClientInformation>("client");
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#file.write({ client: plain(client) });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#read<StoredOAuthTokens>("tokens");
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#file.write({ tokens: plain(tokens) });
  }

  redirectToAuthorization(address: URL): void {
    if (this.#browser === null) throw new Error(`it wants you to log in: capstan mcp login ${this.#server}`);
    this.#browser.open(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.#file.write({ discovery: plain(discovery) });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#read<OAuthDiscoveryState>("discovery");
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    // A login that is begun anyway replaces its client; a session without a browser must not lose what a login has brought.
    if (scope === "verifier" || (this.#browser === null && scope !== "tokens")) return;
    const all = { client: null, tokens: null, discovery: null };
    this.#file.write(scope === "all" ? all : { [scope]: null });
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what the library wrote is what it reads
  #read<Value>(key: string): Value | undefined {
    const value = this.#file.read()[key];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `save…` above, for this user alone
    return value === undefined ? undefined : (value as Value);
  }
}

function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
