import type { ToolsOptions } from "@capstan/tools";
import { type CapstanConfig, cleanEnvironment, protectedPatterns } from "@capstan/settings";
import { openWeb } from "@capstan/web";

const msPerSecond = 1000;

/** What the configuration means for the built-in tools. */
export function toolsOptions(
  config: CapstanConfig,
  env: Readonly<Record<string, string | undefined>>,
  {
    dataFolder,
    ...parts
  }: Pick<
    ToolsOptions,
    "home" | "spillDirectory" | "statusDirectory" | "sandbox" | "redact" | "memory" | "background" | "skills" | "agents"
  > & { readonly dataFolder: string },
): ToolsOptions {
  const { tools } = config;
  const { sandbox, timeouts } = tools;
  return {
    deniedPatterns: protectedPatterns(config),
    allowAbsolute: sandbox.allow_absolute,
    ...parts,
    git: async () => (await import("./open-git.ts")).gitOf(parts.home),
    ownFolders: [dataFolder],
    ...openWeb({ network: config.network, webfetch: tools.webfetch }, env, dataFolder),
    environment: cleanEnvironment(env, tools.environment.allowlist, tools.environment.denylist),
    shell: tools.shell.path ?? undefined,
    timeouts: {
      fileMs: timeouts.file_operations_seconds * msPerSecond,
      commandMs: timeouts.shell_commands_seconds * msPerSecond,
      maxCommandMs: timeouts.max_shell_seconds * msPerSecond,
      searchMs: tools.search.timeout_ms,
    },
    limits: {
      outputBytes: tools.output.max_bytes,
      readBytes: tools.read_file.max_file_read_bytes,
      scanBytes: tools.read_file.max_scan_bytes,
      patchBytes: tools.apply_patch.max_patch_bytes,
      writeBytes: tools.write_file.max_bytes,
      searchResults: tools.search.max_results,
      globResults: tools.glob.max_results,
    },
  };
}
