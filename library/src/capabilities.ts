import type { CapstanConfig } from "@capstan/host";
import { AppError } from "@capstan/protocol";

/** What Capstan has beside its tools, and an engine can do without. */
export type Capability = "agents" | "mcp-servers" | "plugins" | "skills";

const capabilities: readonly Capability[] = ["agents", "mcp-servers", "plugins", "skills"];

/** @param disabled  `true`: all of them */
export function disabledParts(disabled: boolean | readonly Capability[]): readonly Capability[] {
  if (typeof disabled !== "boolean") return disabled;
  return disabled ? capabilities : [];
}

/** What an engine has of them, by its options and its configuration. */
export function capabilitiesOf(
  { agents, plugins }: CapstanConfig,
  disabled: readonly Capability[],
): readonly Capability[] {
  const isOff: Partial<Record<Capability, boolean>> = { agents: !agents.enabled, plugins: !plugins.enabled };
  return capabilities.filter((name) => !disabled.includes(name) && isOff[name] !== true);
}

/** @throws AppError `usage.invalid` for what is needed and switched off */
export function requireCapabilities(required: readonly Capability[], present: readonly Capability[]): void {
  const missing = required.filter((name) => !present.includes(name));
  if (missing.length === 0) return;
  throw new AppError("usage.invalid", `the engine requires ${missing.join(", ")}, and has not: switched off`, {
    hint: "See `disableBuiltInPlugins` of its options, and `agents.enabled` and `plugins.enabled` of the configuration.",
  });
}
