import type { Settings } from "@capstan/host";
import type { Capability } from "./capabilities.ts";
import type { EngineReport } from "./engine-report.ts";
import { version } from "./version.ts";

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
