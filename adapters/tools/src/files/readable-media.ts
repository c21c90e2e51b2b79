import type { ToolResult } from "@capstan/ports";
import type { MediaContent } from "@capstan/protocol";
import { maxMediaBytes } from "./limits.ts";
import { plural } from "./plural.ts";

/** What a file's first bytes say that models with eyes can read; the rest is looked at when all of it is there. */
export function mediaTypeOf(head: Buffer): string | undefined {
  return kinds.find(({ begins }) => begins(head))?.mediaType;
}

/**
 * A picture or PDF, for models that take such; others read its name.
 * @param content  the whole file, or more of it than is taken
 * @returns `undefined`: it is none, or damaged. A vendor that cannot read it would refuse every later request
 */
export function mediaResult(content: Buffer, shown: string): ToolResult | undefined {
  const kind = kinds.find(({ begins }) => begins(content));
  if (kind === undefined) return undefined;
  if (content.length > maxMediaBytes) {
    const text = `${shown} is larger than ${maxMediaBytes} bytes: too large to be shown. A smaller copy can be made by a command.`;
    return { status: "failed", code: "file.too-large", content: text };
  }
  if (!kind.ends(content)) return undefined;
  const { mediaType } = kind;
  const media: MediaContent = { type: "media", mediaType, data: content.toString("base64"), name: shown };
  const text = `[${shown}: ${mediaType}, ${plural(content.length, "byte")}; it is shown with this result where your model takes such.]`;
  return { status: "ok", content: text, media: [media], details: { mediaType, bytes: content.length } };
}

interface MediaKind {
  readonly mediaType: string;
  readonly begins: (head: Buffer) => boolean;
  readonly ends: (content: Buffer) => boolean;
}

const kinds: readonly MediaKind[] = [
  {
    mediaType: "image/png",
    begins: (head) => at(head, 0, "\x89PNG\r\n\x1a\n") && at(head, 12, "IHDR"),
    ends: (content) => tailHas(content, "IEND"),
  },
  {
    mediaType: "image/jpeg",
    begins: (head) => at(head, 0, "\xff\xd8\xff"),
    ends: (content) => tailHas(content, "\xff\xd9"),
  },
  {
    mediaType: "image/gif",
    begins: (head) => at(head, 0, "GIF87a") || at(head, 0, "GIF89a"),
    ends: (content) => tailHas(content, "\x3b"),
  },
  {
    mediaType: "image/webp",
    begins: (head) => at(head, 0, "RIFF") && at(head, 8, "WEBP"),
    ends: (content) => content.length >= 12 && content.readUInt32LE(4) + 8 <= content.length,
  },
  {
    mediaType: "application/pdf",
    begins: (head) => at(head, 0, "%PDF-"),
    ends: (content) => tailHas(content, "%%EOF"),
  },
];

function at(content: Buffer, offset: number, text: string): boolean {
  return content.subarray(offset, offset + text.length).equals(Buffer.from(text, "latin1"));
}

/** Some programs leave a few bytes behind the end. */
function tailHas(content: Buffer, text: string): boolean {
  return content.subarray(-tailBytes).includes(Buffer.from(text, "latin1"));
}

const tailBytes = 1024;
