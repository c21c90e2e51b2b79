import type { ModelSettings } from "@capstan/protocol";

/** A text among the model's options; `undefined` when it is absent, blank or something else. */
export function textOption(model: ModelSettings, key: string): string | undefined {
  const value = model.options[key];
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** A switch among the model's options. */
export function flagOption(model: ModelSettings, key: string, fallback: boolean): boolean {
  const value = model.options[key];
  return typeof value === "boolean" ? value : fallback;
}

/** A number among the model's options; `undefined` when it is absent or something else. */
export function numberOption(model: ModelSettings, key: string): number | undefined {
  const value = model.options[key];
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
