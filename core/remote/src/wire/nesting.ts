/** How deep the brackets of a JSON text nest. Those in strings do not count. */
export function nestingOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (isInString) {
      if (character === backslash) at += 1;
      else if (character === quote) isInString = false;
    } else if (character === quote) isInString = true;
    else if (character === bracket || character === brace) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (character === closingBracket || character === closingBrace) depth -= 1;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const bracket = 0x5b;
const closingBracket = 0x5d;
const brace = 0x7b;
const closingBrace = 0x7d;
