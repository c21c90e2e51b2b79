import type { PermissionMode } from "@capstan/protocol";
import type { Capability } from "./capabilities.ts";

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
