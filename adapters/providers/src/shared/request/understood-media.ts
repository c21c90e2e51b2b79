import type { InputKind, Message, ModelSettings, UserBlock } from "@capstan/protocol";
import { describeMedia, type Media } from "./placeholder.ts";

/** What one attachment may have at most, in characters of base64. */
export interface MediaRoom {
  readonly imageChars: number;
  readonly fileChars: number;
}

/**
 * The messages with every attachment described in words that the model does not understand, or that is more than its vendor
 * takes: one that is refused would be refused again with every later request. Messages without such keep their identity.
 */
export function understoodMedia(
  messages: readonly Message[],
  model: ModelSettings,
  room: MediaRoom,
): readonly Message[] {
  return messages.map((message) => {
    if (message.role !== "user" || !message.content.some((block) => problemOf(block, model, room) !== undefined)) {
      return message;
    }
    return { role: "user", content: message.content.map((block) => inWords(block, model, room)) };
  });
}

function inWords(block: UserBlock, model: ModelSettings, room: MediaRoom): UserBlock {
  const problem = problemOf(block, model, room);
  return problem === undefined || block.type !== "media"
    ? block
    : { type: "text", text: describeMedia(block, problem) };
}

function problemOf(block: UserBlock, model: ModelSettings, room: MediaRoom): string | undefined {
  if (block.type !== "media") return undefined;
  const kind = kindOf(block);
  if (kind === undefined) return undefined;
  if (model.inputs?.includes(kind) === false) return "cannot be shown to this model";
  const limit = kind === "image" ? room.imageChars : room.fileChars;
  return block.data.length > limit ? "is too large to be shown to this model" : undefined;
}

/** `undefined` for texts, which every model reads, and for what no wire takes. */
function kindOf(media: Media): InputKind | undefined {
  const [, type, subtype] = /^\s*([a-z]+)\/([^;\s]*)/.exec(media.mediaType.toLowerCase()) ?? [];
  if (type === "image" || type === "audio" || type === "video") return type;
  return type === "application" && subtype === "pdf" ? "pdf" : undefined;
}
