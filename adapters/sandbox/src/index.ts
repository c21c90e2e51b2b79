export { createSandbox } from "./create-sandbox.ts";
export { sweepRuns } from "./protect/held-run.ts";
export type { SandboxLimits, SandboxOptions } from "./options.ts";
