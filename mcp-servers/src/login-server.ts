import { AppError, messageOf } from "@capstan/protocol";
import type { DataDirectory } from "@capstan/settings";
import type { Configured, NamedServer } from "./named-servers.ts";
import { loginsFolder } from "./kept-folders.ts";
import { toServer } from "./to-server.ts";

interface LoggingIn {
  readonly data: DataDirectory;
  /** Shows the user the address to open in a browser. */
  readonly show: (address: string) => void;
  readonly signal: AbortSignal;
}

/** Logs a user in to a server of theirs. @throws AppError `provider.auth`, `config.invalid` */
export async function loginTo(
  server: NamedServer,
  settings: Configured,
  { data, show, signal }: LoggingIn,
): Promise<void> {
  const { login } = await import("@capstan/mcp");
  try {
    await login(toServer(server, settings), { folder: loginsFolder(data), show, signal });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("provider.auth", `the login to ${server.name} failed: ${messageOf(error)}`, { cause: error });
  }
}

/** Takes a login away. @returns whether there was one */
export async function logoutFrom(server: NamedServer, settings: Configured, data: DataDirectory): Promise<boolean> {
  const { CredentialFile } = await import("@capstan/mcp");
  const { place, name } = toServer(server, settings);
  return place.type === "http" && new CredentialFile(loginsFolder(data), name, place.url).remove();
}
