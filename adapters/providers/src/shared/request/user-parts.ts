import { type JsonObject, unreachable, type UserContent } from "@capstan/protocol";
import { wellFormed } from "../well-formed.ts";
import { describeMedia, isBlank, type Media, textOfMedia } from "./placeholder.ts";

/** How a wire writes what a user sends. */
export interface UserForms {
  /** @param text  well formed, with a visible character */
  text(text: string): JsonObject;
  /** A text that is attached; absent: as any other. */
  attachedText?(text: string, media: Media): JsonObject;
  /**
   * An attachment with data, its media type in small letters, which is no text.
   * @returns `undefined` where the wire takes none of its kind: it is described to the model
   */
  media(media: Media): JsonObject | undefined;
}

/** The wire's parts for one piece of what a user sends: none for a blank text. */
export function userParts(block: UserContent, forms: UserForms): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return isBlank(block.text) ? [] : [forms.text(wellFormed(block.text))];
    case "media": {
      const text = textOfMedia(block);
      if (text !== undefined && !isBlank(text)) return [forms.attachedText?.(text, block) ?? forms.text(text)];
      const media = { ...block, mediaType: block.mediaType.toLowerCase() };
      const part = block.data === "" ? undefined : forms.media(media);
      return [part ?? forms.text(describeMedia(block))];
    }
    default:
      return unreachable(block);
  }
}

/** The name of an attachment, if it has a visible one. */
export function nameOfMedia({ name }: Media): string | undefined {
  return name === undefined || isBlank(name) ? undefined : wellFormed(name);
}
