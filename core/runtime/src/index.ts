export { freezeAction, prepareActions, refusalOutcome } from "./effects/prepare-actions.ts";
export { type Admission, type HealthPolicy, ProviderHealth } from "./health/provider-health.ts";
export { createRedactor, type Redactor } from "./redact.ts";
export type { ActionPorts, DecisionPorts, ModelPorts } from "./runtime-ports.ts";
export { type Redact, withoutSecrets } from "./without-secrets.ts";
export { shownEvent, shownInteraction, shownPage, shownRule, shownSnapshot } from "./shown-event.ts";
export { type OpenedJournal, type Sender, SessionRuntime, type WriteLease } from "./session-runtime.ts";
