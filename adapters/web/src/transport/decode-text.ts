/** Text of a page, and whether its encoding was guessed. */
export interface DecodedText {
  readonly text: string;
  readonly isFallback: boolean;
}

/** Decodes a page by what its header says, else by what it says of itself, else as UTF-8. Total. */
export function decodeText(bytes: Buffer, contentType: string): DecodedText {
  const mark = markOf(bytes);
  const named = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? charsetInside(bytes);
  const label = mark ?? named;
  if (label !== undefined) {
    const decoder = decoderFor(label);
    if (decoder !== undefined) return { text: decoder.decode(bytes), isFallback: false };
  }
  const text = new TextDecoder().decode(bytes);
  return { text, isFallback: label !== undefined || text.includes("\ufffd") };
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : undefined;
}

/** `<meta charset>` stands in the first kilobyte. */
function charsetInside(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 1024);
  return /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1];
}

/** What kind of text a page is, by its header, else by how it begins; `undefined`: none that is read. */
export function kindOfText(bytes: Buffer, contentType: string): "html" | "plain" | undefined {
  const [type = ""] = contentType.toLowerCase().split(";");
  switch (type.trim()) {
    case "text/html":
    case "application/xhtml+xml":
      return "html";
    case "text/plain":
      return isBinary(bytes) ? undefined : "plain";
    case "":
      if (isBinary(bytes)) return undefined;
      return /^\s*(?:<!--|<!doctype html|<html|<head|<body)/i.test(bytes.toString("latin1", 0, 1024))
        ? "html"
        : "plain";
    default:
      return undefined;
  }
}

function isBinary(bytes: Buffer): boolean {
  if (markOf(bytes) !== undefined) return false;
  const head = bytes.subarray(0, 8192);
  return head.includes(0);
}
