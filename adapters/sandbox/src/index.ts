export { createSandbox } from "./create-sandbox.ts";
export { sweepRuns } from "./protect/held-run.ts";
export type { SandboxLimits, SandboxOptions } from "./options.ts";
export { Quarantine, type QuarantinedItem } from "./quarantine/quarantine.ts";
