export { freezeAction, prepareActions, refusalOutcome } from "./effects/prepare-actions.ts";
export { type Admission, type HealthPolicy, ProviderHealth } from "./health/provider-health.ts";
export { PostedAnswers } from "./posted-answers.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export type { RuntimePorts } from "./runtime-ports.ts";
export { shownInteraction, shownRule } from "./shown-event.ts";
export { type OpenedJournal, SessionRuntime, type WriteLease } from "./session-runtime.ts";
