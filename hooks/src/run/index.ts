export { ProgramRunner } from "@capstan/tools";
export { HookRuns } from "./hook-runs.ts";
