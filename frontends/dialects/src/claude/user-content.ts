import { isJsonObject, type JsonObject, type JsonValue, type UserContent, userText } from "@capstan/protocol";

/** The words of a user's message, or why they cannot be taken. */
export function userContent(message: JsonValue | undefined): readonly UserContent[] | string {
  const content = isJsonObject(message) ? message["content"] : undefined;
  if (typeof content === "string") return content === "" ? "the message is empty" : userText(content);
  if (!Array.isArray(content)) return "`message.content` must be a text or a list of blocks";
  const parts: UserContent[] = [];
  for (const block of content) {
    const part = isJsonObject(block) ? partOf(block) : "a block is no object";
    if (typeof part === "string") return part;
    parts.push(part);
  }
  return parts.length === 0 ? "the message is empty" : parts;
}

function partOf(block: JsonObject): UserContent | string {
  const { type, text, source, title } = block;
  if (type === "text" && typeof text === "string") return { type: "text", text };
  if ((type !== "image" && type !== "document") || !isJsonObject(source))
    return `a block of type ${JSON.stringify(type ?? null)} cannot be taken: text, image and document can`;
  const { type: kind, media_type: mediaType, data } = source;
  if (kind === "text" && typeof data === "string") return { type: "text", text: data };
  if (kind !== "base64" || typeof mediaType !== "string" || typeof data !== "string")
    return `${type}: only sources of type base64 and text can be taken, not ${JSON.stringify(kind ?? null)}`;
  return { type: "media", mediaType, data, ...(typeof title === "string" ? { name: title } : {}) };
}
