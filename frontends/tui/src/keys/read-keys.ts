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
const pasteCharacters: number = 8 * 1024 * 1024;
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
      if (end !== -1) {
        inputs.push(pasted(paste + rest.slice(0, end)));
        rest = rest.slice(end + pasteEnd.length);
        paste = null;
        continue;
      }
      const kept = keptEnd(rest, pasteEnd);
      paste += rest.slice(0, rest.length - kept);
      rest = rest.slice(rest.length - kept);
      if (paste.length > pasteCharacters) {
        inputs.push(pasted(paste));
        paste = "";
      }
      break;
    }
    const read = readOne(rest);
    if (read === "more") break;
    rest = rest.slice(read.length);
    if (read.input === "paste") paste = "";
    else if (read.input !== null) push(inputs, read.input);
  }
  return { state: { held: rest, paste }, inputs };
}

/** Something was held back: what follows may belong to it. */
export function isWaiting({ held, paste }: KeyState): boolean {
  return paste === null && held !== "";
}

/** Nothing follows any more for now: what was held back are keys of their own. */
export function flushKeys(state: KeyState): { readonly state: KeyState; readonly inputs: readonly Input[] } {
  if (!isWaiting(state)) return { state, inputs: [] };
  const inputs: Input[] = [];
  // A lone Escape, or one before another key that begins a sequence as well.
  const [first = "", ...others] = state.held;
  if (first === "\u001b" && others.length === 1) push(inputs, { type: "key", chord: `alt+${others[0] ?? ""}` });
  else if (first === "\u001b") {
    push(inputs, { type: "key", chord: "escape" });
    const after = readKeys(noKeys, others.join(""));
    for (const input of after.inputs) push(inputs, input);
  }
  return { state: noKeys, inputs };
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
  if (text.length > sequenceCharacters && !/^\u001b[\]P_^X]/.test(text)) {
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
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) {
    const chord = controlChord(code);
    return { input: { type: "key", chord: withAlt(chord) }, length: 2 };
  }
  if (/[\ud800-\udbff]/.test(character) && text.length === 2) return "more";
  const whole = String.fromCodePoint(text.codePointAt(1) ?? 0);
  return { input: { type: "key", chord: `alt+${nameOf(whole)}` }, length: 1 + whole.length };
}

function withAlt(chord: string): string {
  return chord.startsWith("ctrl+") ? `ctrl+alt+${chord.slice("ctrl+".length)}` : `alt+${chord}`;
}

function push(inputs: Input[], input: Input): void {
  const last = inputs.at(-1);
  if (input.type === "text" && last?.type === "text")
    inputs[inputs.length - 1] = { type: "text", text: last.text + input.text };
  else inputs.push(input);
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
