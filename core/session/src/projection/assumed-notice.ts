import { type JournalRecord, modelName, type ModelSettings } from "@capstan/protocol";

/** Nobody knows how much a model takes: what is assumed instead, and where it is set. Nothing of a model that is known. */
export function assumedNotice(model: ModelSettings): readonly JournalRecord[] {
  if (model.sizes !== "assumed") return [];
  const name = modelName(model);
  const text = `Nothing is known of the model ${name}: its window is taken to hold ${model.contextWindowTokens} tokens. Set context_window and max_output_tokens in [models."${name}"].`;
  return [{ type: "notice", level: "warning", code: "context.assumed", text }];
}
