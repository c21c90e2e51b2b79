import type { ChangedTools } from "@capstan/mcp";
import type { DataDirectory } from "@capstan/settings";
import type { Configured, NamedServer } from "./named-servers.ts";
import { pinsFolder } from "./kept-folders.ts";
import { toServer } from "./to-server.ts";

/**
 * Which tools said something else when the server was last started than when its user took them; `null`: none.
 * @throws AppError `config.*`
 */
export async function changedTools(
  server: NamedServer,
  settings: Configured,
  data: DataDirectory,
): Promise<ChangedTools | null> {
  const { DefinitionPins, pinsName } = await import("@capstan/mcp");
  return new DefinitionPins(pinsFolder(data)).changed(pinsName(toServer(server, settings)));
}

/** Takes them as they are, where that is still what the digest stands for. @returns whether it is */
export async function approveTools(
  server: NamedServer,
  settings: Configured,
  { data, digest }: { readonly data: DataDirectory; readonly digest: string },
): Promise<boolean> {
  const { DefinitionPins, pinsName } = await import("@capstan/mcp");
  return new DefinitionPins(pinsFolder(data)).approve(pinsName(toServer(server, settings)), digest);
}
