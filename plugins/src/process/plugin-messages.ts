import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";

/** A file of a plugin as it is sent to its process. */
export interface SentFile {
  /** Relative to the plugin's folder, with `/`. */
  readonly path: string;
  readonly base64: string;
}

/** What Capstan asks of a plugin's process; each is answered once, under its number. */
export type PluginRequest =
  | { readonly type: "load"; readonly files: readonly SentFile[]; readonly entry: string }
  | {
      readonly type: "initialize";
      readonly config: JsonObject;
      /** What the plugins before it registered. */
      readonly services: JsonObject;
      readonly workspace: JsonObject;
    }
  | { readonly type: "call"; readonly tool: string; readonly args: JsonObject; readonly context: JsonObject }
  | { readonly type: "close" };

/** A line that a plugin's process writes. */
export type PluginAnswer =
  | { readonly type: "answer"; readonly id: number; readonly value: JsonValue }
  | { readonly type: "failure"; readonly id: number; readonly message: string }
  | { readonly type: "report"; readonly id: number; readonly text: string }
  /** Its code ended, and why. */
  | { readonly type: "over"; readonly message: string };

/** @returns `undefined` for a line that is none of these: nothing that a plugin writes is believed before it was read here */
export function readAnswer(line: string): PluginAnswer | undefined {
  const value = parse(line);
  if (!isJsonObject(value)) return undefined;
  const { type, id, message, text } = value;
  if (type === "over" && typeof message === "string") return { type, message };
  if (typeof id !== "number") return undefined;
  if (type === "failure" && typeof message === "string") return { type, id, message };
  if (type === "report" && typeof text === "string") return { type, id, text };
  return type === "answer" && value["value"] !== undefined ? { type, id, value: value["value"] } : undefined;
}

function parse(line: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(line);
    return value;
  } catch {
    return undefined;
  }
}
