import type { JsonValue } from "@capstan/protocol";

/** What a key accepts. */
export type ConfigType =
  | { readonly type: "string" }
  /** An `http:` or `https:` address. */
  | { readonly type: "url" }
  | { readonly type: "integer"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "number"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "boolean" }
  /** `aliases`: other words people use, and what they mean. */
  | {
      readonly type: "choice";
      readonly choices: readonly string[];
      readonly aliases: Readonly<Record<string, string>>;
    }
  /** `each`: what each of them must be. */
  | { readonly type: "string-list"; readonly each?: "port" }
  /** Tables of anything. */
  | { readonly type: "table-list" }
  /** Permission rules as tables. */
  | { readonly type: "rule-list" }
  /** Hooks as tables. */
  | { readonly type: "hook-list" }
  /** Any values: under any names but some, or under some names only, and then `others` says where the rest goes. */
  | { readonly type: "open-table"; readonly reserved: readonly string[] }
  | { readonly type: "open-table"; readonly names: readonly string[]; readonly others: string };

/** One configuration key: everything that is checked, published and explained about it. */
export interface ConfigKey {
  readonly type: ConfigType;
  /** `null`: not set. */
  readonly default: JsonValue;
  /** One sentence. */
  readonly about: string;
  /** Shown in the template where there is no default. */
  readonly example?: JsonValue;
  /** The first of these variables that is set and not empty counts. */
  readonly environment?: readonly string[];
  /** Layers add to the list, none takes away. Without it the highest layer wins. */
  readonly joins?: true;
  /** A project file may set it: limits only lower, lists only longer, rules only `ask` and `deny`. Otherwise ignored there. */
  readonly projectMayNarrow?: true;
  /** Never shown. `credentials`: only the user and password of an address, and fields named like secrets, are hidden. */
  readonly secret?: "whole" | "credentials";
}

/** Larger than any published model, small enough to catch a slip of the keyboard. */
export const maxTokens = 100_000_000;

export const string: ConfigType = { type: "string" };
export const url: ConfigType = { type: "url" };
export const boolean: ConfigType = { type: "boolean" };
export const stringList: ConfigType = { type: "string-list" };
export const portList: ConfigType = { type: "string-list", each: "port" };
export const tableList: ConfigType = { type: "table-list" };
export const hookList: ConfigType = { type: "hook-list" };
export const ruleList: ConfigType = { type: "rule-list" };

/** A whole number within bounds, both included. */
export function integer(minimum: number, maximum: number): ConfigType {
  return { type: "integer", minimum, maximum };
}

/** A number within bounds, both included. */
export function number(minimum: number, maximum: number): ConfigType {
  return { type: "number", minimum, maximum };
}

/** A table of any values under some names. */
export function tableOf(names: readonly string[], others: string): ConfigType {
  return { type: "open-table", names, others };
}

/** A table of any values under any names but these. */
export function tableWithout(reserved: readonly string[]): ConfigType {
  return { type: "open-table", reserved };
}

/** One of some words. */
export function choice(choices: readonly string[], aliases: Readonly<Record<string, string>> = {}): ConfigType {
  return { type: "choice", choices, aliases };
}
