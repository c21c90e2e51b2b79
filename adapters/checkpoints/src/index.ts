export { type CheckpointsOptions, createCheckpoints } from "./create-checkpoints.ts";
