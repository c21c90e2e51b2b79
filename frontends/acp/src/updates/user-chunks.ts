import type { TurnId, UserContent } from "@capstan/protocol";
import { inertText } from "@capstan/view";
import { type ContentBlock, type SessionUpdate, textBlock } from "./update-types.ts";

/** What a user said, of whichever frontend: as one message. */
export function userChunks(id: TurnId, content: readonly UserContent[]): readonly SessionUpdate[] {
  return content.map((part) => ({ sessionUpdate: "user_message_chunk", content: blockOf(part), messageId: id }));
}

function blockOf(part: UserContent): ContentBlock {
  if (part.type === "text") return textBlock(inertText(part.text));
  const { mediaType, data, name = "attachment" } = part;
  if (mediaType.startsWith("image/")) return { type: "image", data, mimeType: mediaType };
  const uri = name.startsWith("/") ? `file://${encodeURI(name)}` : `attachment:${encodeURIComponent(name)}`;
  if (mediaType !== "text/plain") return { type: "resource", resource: { uri, mimeType: mediaType, blob: data } };
  const text = inertText(Buffer.from(data, "base64").toString("utf8"));
  return { type: "resource", resource: { uri, mimeType: mediaType, text } };
}
