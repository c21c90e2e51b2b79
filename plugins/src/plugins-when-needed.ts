import { hasPlugins } from "./find/plugin-places.ts";
import type { OpenedPlugins, OpenOptions } from "./open-plugins.ts";

/** The plugins of one workspace; their code is loaded where there are any. @returns `null` where there is none */
export async function openPlugins(options: OpenOptions): Promise<OpenedPlugins | null> {
  if (!(await hasPlugins(options.places))) return null;
  const { openFoundPlugins } = await import("./open-plugins.ts");
  return await openFoundPlugins(options);
}
