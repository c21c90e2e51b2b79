import type { SeededRandom } from "@capstan/testkit";
import { hostilePieces } from "./words.ts";

/** One to three faults anywhere in a script: a hostile piece, a byte put in, taken out, doubled or changed. */
export function mutateScript(script: string, random: SeededRandom): string {
  let text = script;
  const faults = 1 + random.below(random.happens(0.7) ? 1 : 3);
  for (let count = 0; count < faults; count += 1) text = withFault(text, random);
  return text;
}

function withFault(text: string, random: SeededRandom): string {
  const at = random.below(text.length + 1);
  const before = text.slice(0, at);
  const after = text.slice(at);
  switch (random.below(8)) {
    case 0:
      return before + after.slice(1);
    case 1:
      return before + randomByte(random) + after;
    case 2:
      return before + randomByte(random) + after.slice(1);
    case 3:
      return before + after.slice(0, 1) + after;
    case 4:
      return before + after.slice(1 + random.below(4));
    case 5:
      return atWordStart(text, random);
    default:
      return before + random.pick(hostilePieces) + after;
  }
}

/** Most signs mean something only where a word begins. */
function atWordStart(text: string, random: SeededRandom): string {
  const starts = [...text.matchAll(/(?<=^|[ \n;|&])(?=[^ \n;|&])/g)].map(({ index }) => index);
  const at = starts.length === 0 ? 0 : random.pick(starts);
  return text.slice(0, at) + random.pick(hostilePieces) + text.slice(at);
}

/** Any character of ASCII but NUL, which no argument can hold. */
function randomByte(random: SeededRandom): string {
  return String.fromCharCode(1 + random.below(127));
}
