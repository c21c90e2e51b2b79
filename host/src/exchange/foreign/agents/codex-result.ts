import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { countAt, objectAt, textAt } from "../fields.ts";
import type { ForeignResult } from "../foreign-session.ts";
import type { Healing } from "../healing.ts";
import { resultText } from "../result-text.ts";

/** The result of a Codex call: a text, parts, or a text that is JSON with the output and its exit code. */
export function codexResult(item: JsonObject, at: number, healing: Healing): ForeignResult {
  const output = objectAt(item, "output");
  const text = output === undefined ? resultText(item["output"], healing) : resultText(output["content"], healing);
  const inner = innerOutput(text);
  const exitCode =
    countAt(objectAt(inner, "metadata"), "exit_code") || Number(/^Exit code: (\d+)/.exec(text)?.[1] ?? 0);
  const failed = output?.["success"] === false || exitCode !== 0;
  const content = inner === undefined ? text : textAt(inner, "output");
  return { type: "result", callId: textAt(item, "call_id"), content, outcome: failed ? "failed" : "done", at };
}

function innerOutput(text: string): JsonObject | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value["output"] === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
