import type { JsonObject, JsonValue } from "@capstan/protocol";

/** When a plugin or a tool counts. Where it runs decides, when it is initialized. */
export interface Conditions {
  /** `linux`, `darwin`. */
  readonly platform: readonly string[];
  /** Files or folders of the workspace that are there. */
  readonly files: readonly string[];
  /** Programs on the `PATH`. */
  readonly programs: readonly string[];
  /** Variables that are set: a plugin in the sandbox sees none but `PATH`. */
  readonly env: readonly string[];
}

/** What a tool does when it is called. */
export type DeclaredWork =
  /** A script for `bash`; arguments are variables, no part of its text. */
  | { readonly kind: "bash"; readonly script: string }
  | {
      readonly kind: "http";
      readonly method: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: JsonValue | null;
    }
  /** The body of a function of `args` and `context`. */
  | { readonly kind: "javascript"; readonly code: string }
  /** A text that the model reads: itself, or a file of the plugin's folder. */
  | { readonly kind: "skill"; readonly text: string | null; readonly file: string | null };

/** A tool that is written as data. */
export interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly effect: "read" | "write" | "execute";
  readonly timeoutMs: number;
  readonly conditions: Conditions;
  readonly work: DeclaredWork;
}

/** A plugin that is written as data: YAML, JSON or TOML. */
export interface DeclaredPlugin {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly dependencies: readonly string[];
  readonly engine: string | null;
  readonly conditions: Conditions;
  readonly tools: readonly DeclaredTool[];
  /** Fields that are not used, with the place where their content belongs. */
  readonly unused: readonly string[];
}

/** The names of files that are plugins written as data. */
export const declaredFile: RegExp = /\.(?:ya?ml|json|toml)$/;
