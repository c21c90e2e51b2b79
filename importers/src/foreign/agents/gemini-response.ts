import type { JsonObject } from "@capstan/protocol";
import { objectAt, textAt } from "../fields.ts";
import type { Healing } from "../healing.ts";
import { resultText } from "../result-text.ts";

/** The text of a part that brings a call's result. */
export function functionResponseText(part: JsonObject, healing: Healing): string {
  const response = objectAt(objectAt(part, "functionResponse"), "response");
  if (response === undefined) return resultText(part, healing);
  return (
    textAt(response, "output") || textAt(response, "error") || textAt(response, "content") || JSON.stringify(response)
  );
}
