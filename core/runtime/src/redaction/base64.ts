const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const noDigit = 255;
const digits: Uint8Array = digitTable();

/** Base64 without padding. `bytes`: one character each. */
export function toBase64(bytes: string): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes.charCodeAt(at), bytes.charCodeAt(at + 1), bytes.charCodeAt(at + 2)];
    const left = bytes.length - at;
    const group = (a << 16) | (left > 1 ? b << 8 : 0) | (left > 2 ? c : 0);
    const made = [18, 12, 6, 0].map((shift) => alphabet.charAt((group >> shift) & 63)).join("");
    text += made.slice(0, left > 2 ? 4 : left + 1);
  }
  return text;
}

/** What base64 of either alphabet says, one character a byte, up to what is none of its digits. */
export function fromBase64(text: string): string {
  const bytes: string[] = [];
  let bits = 0;
  let held = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = digits[text.charCodeAt(at)] ?? noDigit;
    if (digit === noDigit) break;
    held = ((held << 6) | digit) & 0xff_ff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(String.fromCharCode((held >> bits) & 0xff));
  }
  return bytes.join("");
}

/**
 * What a value looks like in base64 wherever it stands in what was encoded: one text for each of the three alignments, without
 * the characters that its neighbours have a part in.
 */
export function base64Forms(bytes: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = toBase64("\0".repeat(shift) + bytes);
    const surelyFrom = Math.ceil((shift * 8) / 6);
    const surelyTo = Math.floor(((shift + bytes.length) * 8) / 6);
    return encoded.slice(surelyFrom, surelyTo);
  });
}

function digitTable(): Uint8Array {
  const table = new Uint8Array(128).fill(noDigit);
  for (let at = 0; at < alphabet.length; at += 1) table[alphabet.charCodeAt(at)] = at;
  table["-".charCodeAt(0)] = 62;
  table["_".charCodeAt(0)] = 63;
  return table;
}
