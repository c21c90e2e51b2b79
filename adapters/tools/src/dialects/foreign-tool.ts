import type { JsonObject } from "@capstan/protocol";

/** A tool of another agent that is more than another name for one of ours. */
export interface ForeignTool {
  /** In small letters; a call may have them in any case. */
  readonly names: readonly string[];
  /** @param name  as the model wrote it @returns `undefined`: this call has no such form, and the name alone decides */
  readonly convert: (args: JsonObject, name: string) => ConvertedCall | undefined;
}

/** The call as our tools take it, or what is wrong with it. Fields of other names are still fixed afterwards. */
export type ConvertedCall =
  | { readonly type: "call"; readonly tool: string; readonly arguments: JsonObject }
  | { readonly type: "wrong"; readonly problem: string };

export function callOf(tool: string, args: JsonObject): ConvertedCall {
  return { type: "call", tool, arguments: args };
}

export function wrongCall(problem: string): ConvertedCall {
  return { type: "wrong", problem };
}

/** The arguments without some fields. */
export function without(args: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)));
}

/** The first of these fields that holds a text. */
export function textUnder(args: JsonObject, names: readonly string[]): string | undefined {
  const found = names.map((name) => args[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : undefined;
}

export const pathFields: readonly string[] = ["path", "file_path", "filePath", "target_file", "file", "filename"];
