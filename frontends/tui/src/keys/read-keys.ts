// oxlint-disable no-control-regex -- control characters are what is read here
import { controlChord, nameOf } from "./chord.ts";
import type { Input, ReadInput } from "./input.ts";
import { readControlSequence, readOperatingSystemCommand, readSingleShift } from "./read-sequence.ts";

/** What was read, and what waits for the rest of it. Plain JSON. */
export interface KeyState {
  /** The beginning of a sequence. */
  readonly held: string;
  /** A paste under way; `null`: none. */
  readonly paste: string | null;
}

export const noKeys: KeyState = { held: "", paste: null };

/** A paste that is longer comes in several. UTF-16 units. */
export const pasteCharacters: number = 8 * 1024 * 1024;
/** A sequence that is longer is none. */
const sequenceCharacters = 4096;

const pasteEnd = "\u001b[201~";

/** Text that a terminal sent, decoded. Total; however it is cut, the inputs come out the same but for where texts are parted. */
export function readKeys(
  state: KeyState,
  text: string,
): { readonly state: KeyState; readonly inputs: readonly Input[] } {
  const inputs: Input[] = [];
  let rest = state.held + text;
  let { paste } = state;
  for (;;) {
    if (paste !== null) {
      const end = rest.indexOf(pasteEnd);
      const taken = end === -1 ? rest.length - keptEnd(rest, pasteEnd) : end;
      paste = pushPastes(inputs, paste + rest.slice(0, taken));
      rest = rest.slice(taken);
      if (end === -1) break;
      inputs.push(pasted(paste));
      rest = rest.slice(pasteEnd.length);
      paste = null;
      continue;
    }
    const read = readOne(rest);
    if (read === "more") break;
    rest = rest.slice(read.length);
    if (read.input === "paste") paste = "";
    else if (read.input !== null) push(inputs, read.input);
  }
  return { state: { held: rest, paste }, inputs };
}

/**
 * A key was held back that may be one by itself: Escape, or Alt with a sign that begins sequences. More of a sequence than that no
 * fingers type so fast; it waits for its rest however late that comes, so that no half of an answer reaches the draft.
 */
export function isWaiting({ held, paste }: KeyState): boolean {
  return paste === null && held.length > 0 && held.length <= 2;
}

/** Nothing follows any more for now: what was held back are keys of their own. */
export function flushKeys(state: KeyState): { readonly state: KeyState; readonly inputs: readonly Input[] } {
  if (!isWaiting(state)) return { state, inputs: [] };
  const [first, second] = state.held;
  // Half of a character, whose other half did not come, is none.
  if (first !== "\u001b") return { state: noKeys, inputs: [] };
  return { state: noKeys, inputs: [{ type: "key", chord: second === undefined ? "escape" : altChord(second) }] };
}

function readOne(text: string): ReadInput | "more" {
  if (text === "") return "more";
  const [first = ""] = text;
  if (first === "\u001b") return readEscape(text);
  const code = first.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return { input: { type: "key", chord: controlChord(code) }, length: 1 };
  // The eight-bit forms of sequences are no characters, either.
  if (code >= 0x80 && code < 0xa0) return { input: null, length: 1 };
  return readText(text);
}

function readText(text: string): ReadInput | "more" {
  const end = text.search(/[\u0000-\u001f\u007f-\u009f]/);
  const typed = end === -1 ? text : text.slice(0, end);
  // Half of a pair waits for its other half.
  const isHalf = end === -1 && /[\ud800-\udbff]$/.test(typed);
  if (isHalf && typed.length === 1) return "more";
  const whole = isHalf ? typed.slice(0, -1) : typed;
  return { input: { type: "text", text: whole.toWellFormed() }, length: whole.length };
}

function readEscape(text: string): ReadInput | "more" {
  const [, second] = text;
  if (second === undefined) return "more";
  if (text.length > sequenceCharacters && !/^[\]P_^X]/.test(second)) {
    const read = readSequence(text.slice(0, sequenceCharacters));
    return read === "more" ? { input: null, length: sequenceCharacters } : read;
  }
  return readSequence(text);
}

function readSequence(text: string): ReadInput | "more" {
  switch (text[1]) {
    case "[":
      return readControlSequence(text);
    case "O":
      return readSingleShift(text);
    case "]":
    case "P":
    case "_":
    case "^":
    case "X":
      return readOperatingSystemCommand(text);
    case "\u001b":
      // Escape twice, or Alt with a key that sends a sequence itself.
      return { input: { type: "key", chord: "escape" }, length: 1 };
    default:
      return readAlt(text);
  }
}

/** Alt sends Escape before the key. */
function readAlt(text: string): ReadInput | "more" {
  const [character = ""] = text.slice(1);
  if (/^[\ud800-\udbff]$/.test(character) && text.length === 2) return "more";
  const isEightBit = /^[\u0080-\u009f]$/.test(character);
  return {
    input: isEightBit ? null : { type: "key", chord: altChord(character) },
    length: 1 + character.length,
  };
}

function altChord(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const chord = code < 0x20 || code === 0x7f ? controlChord(code) : nameOf(character.toWellFormed());
  return chord.startsWith("ctrl+") ? `ctrl+alt+${chord.slice("ctrl+".length)}` : `alt+${chord}`;
}

function push(inputs: Input[], input: Input): void {
  const last = inputs.at(-1);
  if (input.type === "text" && last?.type === "text")
    inputs[inputs.length - 1] = { type: "text", text: last.text + input.text };
  else inputs.push(input);
}

/** Hands over what is more than one paste may hold; what is left is not ended yet. */
function pushPastes(inputs: Input[], text: string): string {
  let rest = text;
  while (rest.length > pasteCharacters) {
    // Neither a line end nor a character is cut in two.
    const isPair = /^(?:\r\n|[\ud800-\udbff][\udc00-\udfff])$/.test(
      rest.slice(pasteCharacters - 1, pasteCharacters + 1),
    );
    const length = isPair ? pasteCharacters - 1 : pasteCharacters;
    inputs.push(pasted(rest.slice(0, length)));
    rest = rest.slice(length);
  }
  return rest;
}

function pasted(text: string): Input {
  return { type: "paste", text: text.replaceAll(/\r\n?/g, "\n").toWellFormed() };
}

/** How much at the end of a text may be the beginning of the mark. */
function keptEnd(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length -= 1)
    if (mark.startsWith(text.slice(text.length - length))) return length;
  return 0;
}
