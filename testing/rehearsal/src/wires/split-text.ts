/**
 * Cuts a text into pieces of at most `pieceBytes` UTF-8 bytes, at least one character each; characters stay whole.
 * Lone surrogates pass through: they are a fault worth rehearsing.
 */
export function splitText(text: string, pieceBytes: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let sizeBytes = 0;
  for (let index = 0; index < text.length;) {
    const codePoint = text.codePointAt(index) ?? 0;
    const characterBytes = utf8Bytes(codePoint);
    if (sizeBytes > 0 && sizeBytes + characterBytes > pieceBytes) {
      pieces.push(text.slice(start, index));
      start = index;
      sizeBytes = 0;
    }
    sizeBytes += characterBytes;
    index += codePoint > 0xffff ? 2 : 1;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}

function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
