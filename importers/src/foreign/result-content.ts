import type { JsonObject, JsonValue, UserContent } from "@capstan/protocol";
import { blocksOf, objectAt, textAt } from "./fields.ts";
import { inlineMedia, mediaOfUrl } from "./foreign-media.ts";
import type { ForeignResult } from "./foreign-session.ts";
import type { Healing } from "./healing.ts";

/** What a call brought: its text, in which each picture has a mark, and the pictures. */
export type ResultContent = Pick<ForeignResult, "content" | "media">;

export function resultContent(value: JsonValue | undefined, healing: Healing): ResultContent {
  const media: UserContent[] = [];
  const texts = blocksOf(value).map((block) => {
    const text = textAt(block, "text");
    if (text !== "") return text;
    if (block["type"] === "text" || block["type"] === "input_text" || block["type"] === "output_text") return "";
    const found = mediaIn(block, healing);
    media.push(...found);
    const [first] = found;
    return first?.type === "media" ? shownMark(first.mediaType) : `[${kindOf(block)} that was not imported]`;
  });
  return { content: texts.filter((text) => text !== "").join("\n"), media };
}

/** Stands in a result's text for what is shown after all results. */
function shownMark(mediaType: string): string {
  return `[${mediaType}, shown after the results]`;
}

/** The forms in which agents keep a picture: the vendors' own, and that of tool servers. */
function mediaIn(block: JsonObject, healing: Healing): readonly UserContent[] {
  const source = objectAt(block, "source");
  if (source !== undefined) return inlineMedia(textAt(source, "media_type"), textAt(source, "data"), healing);
  const url = textAt(block, "image_url") || textAt(objectAt(block, "image_url"), "url") || textAt(block, "url");
  if (url !== "") return mediaOfUrl(url, healing);
  const inline = objectAt(block, "inlineData") ?? block;
  return inlineMedia(textAt(inline, "mimeType"), textAt(inline, "data"), healing);
}

function kindOf(block: JsonObject): string {
  return textAt(block, "type") || "something";
}
