import type { Tool } from "@capstan/ports";
import type { EffectClass, JsonObject, ToolDefinition, ToolFamily } from "@capstan/protocol";
import type { ArgumentAlias } from "./arguments/argument-alias.ts";
import type { ToolsOptions } from "./options.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";

/** All that is known of a built-in tool before its code is loaded, and how to load it. One file each, in `definitions/`. */
export interface ToolEntry {
  readonly name: string;
  readonly definition: (options: ToolsOptions) => ToolText;
  /** What is taken beyond what models are shown: more fields, and which ones are then needed. */
  readonly accepts?: { readonly properties: JsonObject; readonly required: readonly string[] };
  readonly effect: EffectClass;
  /** It stages its calls, and finds out after a crash what became of one. */
  readonly settles: boolean;
  /** How rules speak of it. */
  readonly rules: Omit<ToolFamily, "tool">;
  /**
   * Names other agents give to such a tool; models carry them over. Accepted on input only. Where nothing fits exactly case is ignored,
   * so that only spellings that differ in more are listed, next to the exact ones.
   */
  readonly aliases: readonly string[];
  /** Fields of other agents' tools of that kind, tried in order. */
  readonly argumentAliases: readonly ArgumentAlias[];
  readonly load: (parts: ToolParts) => Promise<ToolCode>;
}

/** What the model is shown of a tool, beside its name. */
export type ToolText = Omit<ToolDefinition, "name">;

/** What the tools of one catalog share. */
export interface ToolParts {
  readonly options: ToolsOptions;
  readonly paths: () => Promise<WorkspacePaths>;
}

/** What a tool does, without what is said about it. */
export type ToolCode = Pick<Tool, "prepare" | "stage" | "run" | "probe">;
