import type { Settings } from "@capstan/host";
import type { PermissionMode } from "@capstan/protocol";
import type { Capability } from "./capabilities.ts";
import { version } from "./version.ts";

/** What an engine found when it was initialized. */
export interface EngineReport {
  readonly version: string;
  /** The data directory. */
  readonly home: string;
  /** The workspace of new sessions, as a real path. */
  readonly cwd: string;
  /** The configured model; `null`: one is chosen by the keys that are there. */
  readonly model: string | null;
  readonly mode: PermissionMode;
  /** What it has beside its tools. */
  readonly capabilities: readonly Capability[];
  /** What of the configuration and the workspace does not count, and why. */
  readonly warnings: readonly string[];
}

export function reportOf(
  { home, loaded, workspace, trust }: Settings,
  capabilities: readonly Capability[],
): EngineReport {
  return {
    version,
    home,
    cwd: workspace.cwd,
    model: loaded.values.app.model ?? null,
    mode: loaded.values.permissions.mode,
    capabilities,
    warnings: [...loaded.warnings, ...trust.notices.map(({ text }) => text), ...recommended(capabilities)],
  };
}

/** An engine works without any of them; most instructions are written for agents that have skills. */
function recommended(capabilities: readonly Capability[]): readonly string[] {
  return capabilities.includes("skills") ? [] : ["skills are switched off: the model is offered none"];
}
