export { type CheckpointsOptions, createCheckpoints } from "./create-checkpoints.ts";
export { removeLeftovers } from "./store/remove-leftovers.ts";
