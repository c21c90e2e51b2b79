export { createSandbox } from "./create-sandbox.ts";
export type { SandboxLimits, SandboxOptions } from "./options.ts";
