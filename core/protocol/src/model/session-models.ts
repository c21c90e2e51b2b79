import { isOwnCompactor, outsideCompactor } from "./compactors.ts";
import type { ModelSettings, SessionConfig } from "../session-config.ts";

/** A model as records name it: `provider/id`. */
export function modelName({ provider, id }: ModelSettings): string {
  return `${provider}/${id}`;
}

/** The model of that name among those a session may ask; its first one when the name is none of them. */
export function modelNamed(config: SessionConfig, name: string | null): ModelSettings {
  return config.fallbacks.find((model) => modelName(model) === name) ?? config.model;
}

/**
 * Who summarises where a model answers: a compactor from outside, which is asked as a model is (decision 0081), else the cheaper model that
 * its provider names for it, else the model itself.
 */
export function summarizerOf(config: Pick<SessionConfig, "compactor" | "agent">, model: ModelSettings): ModelSettings {
  const { compactor } = config;
  return compactor === undefined || isOwnCompactor(compactor)
    ? (model.summarizer ?? model)
    : outsideCompactor({ ...config, compactor }, model);
}

/** The model that was asked for a summary, by its name; `null`: the one of the turn. */
export function summarizerNamed(config: SessionConfig, name: string | null, turns: string | null): ModelSettings {
  const models = [config.model, ...config.fallbacks].flatMap((model) => [model, summarizerOf(config, model)]);
  return models.find((model) => modelName(model) === name) ?? modelNamed(config, turns);
}

/** The model to ask when the one of that name has failed for good; `undefined`: there is no other. */
export function nextModel(config: SessionConfig, failed: string): ModelSettings | undefined {
  // A model that is named twice has one turn, or the step would go round and round.
  const order = new Map([config.model, ...config.fallbacks].map((model) => [modelName(model), model]));
  const names = [...order.keys()];
  return order.get(names[names.indexOf(failed) + 1] ?? "");
}
