import { fileURLToPath } from "node:url";
import type { UserContent } from "@capstan/protocol";
import { maxAttachmentBytes, maxPromptParts } from "../limits.ts";
import type { Fields } from "./fields.ts";

/**
 * What a user said in an editor. A link names its file in words: the model reads it with its tools, by the rules of the session. What the
 * editor sends itself (an image, a file with its text) is attached.
 * @throws RpcError naming the part that is not taken
 */
export function readPrompt(params: Fields): readonly UserContent[] {
  const parts = params.objects("prompt", maxPromptParts).map(readPart);
  return parts.reduce<readonly UserContent[]>(joined, []);
}

/** Words and the links between them are one text. */
function joined(content: readonly UserContent[], part: UserContent): readonly UserContent[] {
  const last = content.at(-1);
  if (last?.type !== "text" || part.type !== "text") return [...content, part];
  return [...content.slice(0, -1), { type: "text", text: last.text + part.text }];
}

function readPart(part: Fields): UserContent {
  const type = part.text("type");
  switch (type) {
    case "text":
      return { type: "text", text: part.text("text") };
    case "image":
      return media(part, part.text("mimeType"), part.text("data"), part.optionalText("uri"));
    case "resource_link":
      return { type: "text", text: linkText(part) };
    case "resource":
      return readResource(part.object("resource"));
    case "audio":
      throw part.wrong("audio is not taken");
    default:
      throw part.wrong(`the type ${JSON.stringify(type)} is not known`);
  }
}

function readResource(resource: Fields): UserContent {
  const uri = resource.text("uri");
  const blob = resource.optionalText("blob");
  if (blob !== undefined)
    return media(resource, resource.optionalText("mimeType") ?? "application/octet-stream", blob, uri);
  const data = Buffer.from(resource.text("text"), "utf8");
  if (data.length === 0) return { type: "text", text: `${nameOf(uri)} is empty.` };
  return media(resource, "text/plain", data.toString("base64"), uri);
}

// oxlint-disable-next-line max-params -- the part is for messages
function media(part: Fields, mediaType: string, data: string, uri: string | undefined): UserContent {
  if (!/^(?:image\/[\w.+-]+|application\/pdf|text\/plain)$/.test(mediaType))
    throw part.wrong(`the type ${JSON.stringify(mediaType)} is not taken: images, PDFs and texts are`);
  if (data === "" || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw part.wrong("the data is not base64");
  if ((data.length / 4) * 3 > maxAttachmentBytes)
    throw part.wrong(`an attachment has more than ${maxAttachmentBytes / 1024 / 1024} MB`);
  return { type: "media", mediaType, data, ...(uri === undefined ? {} : { name: nameOf(uri) }) };
}

/** The file as the model's tools take it, or the address as it is. */
function linkText(link: Fields): string {
  const uri = link.text("uri");
  return pathOf(uri) ?? uri;
}

function nameOf(uri: string): string {
  return pathOf(uri) ?? uri;
}

function pathOf(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri.replace(/[#?].*$/, ""));
  } catch {
    return undefined;
  }
}
