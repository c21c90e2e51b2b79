import { isJsonObject, type JsonObject } from "@capstan/protocol";
import { listAt, objectAt, textAt } from "../fields.ts";
import type { Healing } from "../healing.ts";
import { type ResultContent, resultContent } from "../result-content.ts";

/** What a part brings of a call's result. */
export function functionResponseContent(part: JsonObject, healing: Healing): ResultContent {
  const outer = objectAt(part, "functionResponse");
  const response = objectAt(outer, "response");
  if (response === undefined) return resultContent(part, healing);
  const text =
    textAt(response, "output") || textAt(response, "error") || textAt(response, "content") || JSON.stringify(response);
  return joinedContent([
    { content: text, media: [] },
    resultContent(listAt(outer, "parts").filter(isJsonObject), healing),
  ]);
}

export function joinedContent(contents: readonly ResultContent[]): ResultContent {
  const texts = contents.map(({ content }) => content).filter((text) => text !== "");
  return { content: texts.join("\n"), media: contents.flatMap(({ media }) => media) };
}
