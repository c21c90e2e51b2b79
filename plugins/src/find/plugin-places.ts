import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceTrust } from "@capstan/trust";

/** Where plugins are looked for. */
export interface PluginPlaces {
  /** Capstan's data directory. */
  readonly home: string;
  /** Further folders, absolute, as the user's configuration or a flag names them. */
  readonly directories: readonly string[];
  readonly trust: Pick<WorkspaceTrust, "trusted" | "approved">;
}

/** A file in a folder of plugins that trust lists. */
export const inWorkspace: RegExp = /^(.*\/\.capstan\/plugins)\/(.+)$/;

/** Whether there is any file that may be a plugin; only names are looked at. */
export async function hasPlugins({ home, directories, trust }: PluginPlaces): Promise<boolean> {
  if (directories.length > 0) return true;
  const own: readonly string[] = await readdir(join(home, "plugins")).catch(() => []);
  return own.length > 0 || (trust.trusted && [...trust.approved.keys()].some((path) => inWorkspace.test(path)));
}
