import type { Sampler } from "@capstan/mcp";
import type { SamplerParts } from "./ask-model.ts";

/** Asks the model of the session that a call belongs to; its code is loaded when a server first wants that. */
export function modelSampler(parts: SamplerParts): Sampler {
  return async (request) => await (await import("./ask-model.ts")).askModel(parts, request);
}
