export { freezeAction, prepareActions, refusalOutcome } from "./effects/prepare-actions.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export type { RuntimePorts } from "./runtime-ports.ts";
export { type OpenedJournal, SessionRuntime } from "./session-runtime.ts";
