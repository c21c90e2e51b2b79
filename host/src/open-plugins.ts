import { resolve } from "node:path";
import { type OpenedPlugins, openPlugins, type PluginPlaces } from "@capstan/plugins";
import type { Sandbox } from "@capstan/ports";
import type { Isolation } from "@capstan/protocol";
import { cleanEnvironment } from "@capstan/settings";
import { withTrustedPath } from "@capstan/tools";
import type { Settings } from "./load-settings.ts";
import { homeOf } from "./open-sandbox.ts";

const msPerSecond = 1000;

/** Where the plugins of a workspace lie. */
export function pluginPlaces({ home, env, loaded, trust }: Settings): PluginPlaces {
  const user = homeOf(env);
  const directories = loaded.values.plugins.directories.map((path) => resolve(user, path.replace(/^~(?=\/|$)/, user)));
  return { home, directories, trust };
}

/** The plugins of a workspace, started. @returns `null` where there is none, or they are switched off */
export async function pluginsOf(
  settings: Settings,
  parts: { readonly sandbox: Sandbox; readonly isolation: Isolation; readonly version: string },
): Promise<OpenedPlugins | null> {
  const { env, loaded } = settings;
  const { plugins, tools } = loaded.values;
  if (!plugins.enabled) return null;
  return await openPlugins({
    places: pluginPlaces(settings),
    trusted: plugins.trusted,
    version: parts.version,
    isConfined: parts.isolation.type === "enforced",
    settings: plugins.settings,
    outputBytes: tools.output.max_bytes,
    startupTimeoutMs: plugins.startup_timeout * msPerSecond,
    toolTimeoutMs: plugins.tool_timeout * msPerSecond,
    sandbox: parts.sandbox,
    workspace: settings.workspace,
    environment: withTrustedPath(
      cleanEnvironment(env, tools.environment.allowlist, tools.environment.denylist),
      settings.workspace.roots,
    ),
  });
}
