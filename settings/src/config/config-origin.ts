import { quoteName, quotePath } from "./quote.ts";

/** Layers from the weakest to the strongest; what the managed layer locks no other changes. A preset is the user's, above the rest of the user's file. */
export type ConfigLayer = "default" | "managed" | "user" | "project" | "environment" | "flag";

/** Where a value came from. */
export interface ConfigOrigin {
  readonly layer: ConfigLayer;
  readonly file?: string;
  /** Starts at 1. */
  readonly line?: number;
  /** The preset of the user's file. */
  readonly preset?: string;
  readonly variable?: string;
  readonly flag?: string;
}

/** An origin in words: `/home/me/.capstan/config.toml:12 (user)`. */
export function describeOrigin(origin: ConfigOrigin): string {
  const { layer, file, preset, variable, flag } = origin;
  if (variable !== undefined) return `variable ${variable}`;
  if (flag !== undefined) return `flag ${flag}`;
  if (file === undefined) return layer;
  return `${placeOf(origin)} (${preset === undefined ? layer : `preset ${quoteName(preset)}`})`;
}

/** The start of a message about a value from there. */
export function placeOf(origin: ConfigOrigin): string {
  if (origin.file === undefined) return describeOrigin(origin);
  const file = quotePath(origin.file);
  return origin.line === undefined ? file : `${file}:${origin.line}`;
}
