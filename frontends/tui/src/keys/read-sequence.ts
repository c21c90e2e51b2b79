import { chordOf, key, named, keyOfCode, kittyKey, metaAsAlt } from "./key-of-code.ts";
import type { Input, ReadInput, TerminalReply } from "./input.ts";

/* oxlint-disable no-control-regex -- control characters are exactly what begins and ends a sequence */

/** Longer than any that a terminal sends; what is longer is given up. */
const commandCharacters = 4096;

/** `ESC [ … letter` */
export function readControlSequence(text: string): ReadInput | "more" {
  // X10 mouse reports, whose three bytes are no parameters.
  if (text.startsWith("\u001b[M")) return text.length < 6 ? "more" : { input: null, length: 6 };
  // The Linux console sends a second bracket for F1 to F5.
  if (text.startsWith("\u001b[[")) {
    if (text.length < 4) return "more";
    const at = "ABCDE".indexOf(text[3] ?? "");
    return { input: at === -1 ? null : key(`f${at + 1}`), length: 4 };
  }
  const match = /^\u001b\[([0-?]*)([ -/]*)([@-~])/.exec(text);
  if (match === null) {
    const good = /^\u001b\[[0-?]*[ -/]*/.exec(text)?.[0] ?? "\u001b[";
    // Another character breaks it off, and is read by itself.
    return good.length === text.length ? "more" : { input: null, length: good.length };
  }
  const [whole, parameters = "", , final = ""] = match;
  return { input: inputOf(parameters, final), length: whole.length };
}

/** `ESC O letter`: arrows and function keys of terminals in application mode. */
export function readSingleShift(text: string): ReadInput | "more" {
  if (text.length < 3) return "more";
  const match = /^\u001bO([0-9;]{0,8})([A-Za-z])/.exec(text);
  if (match === null) {
    if (/^\u001bO[0-9;]{0,8}$/.test(text)) return "more";
    return { input: key("alt+shift+o"), length: 2 };
  }
  const [whole, parameters = "", final = ""] = match;
  const name = shifted[final] ?? letters[final];
  const modifier = Number(parameters.split(";").at(-1) || 1);
  return { input: name === undefined ? null : key(chordOf(name, modifier)), length: whole.length };
}

/**
 * What begins as a command to the terminal is an answer of it. It ends with BEL or ST; another control character breaks it off, and is
 * read by itself.
 */
export function readOperatingSystemCommand(text: string): ReadInput | "more" {
  const known = text.slice(0, commandCharacters);
  const end = /[\u0000-\u001f\u007f-\u009f]/.exec(known.slice(2));
  if (end === null) return known.length < commandCharacters ? "more" : { input: null, length: known.length };
  const at = end.index + 2;
  const last = known[at];
  if (last === "\u001b" && known.length === at + 1 && known.length < commandCharacters) return "more";
  const isEnded = last === "\u0007" || last === "\u009c" || known.startsWith("\u001b\\", at);
  if (!isEnded) return { input: null, length: at };
  const colour = /^\u001b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(known);
  const length = last === "\u001b" ? at + 2 : at + 1;
  if (colour === null) return { input: null, length };
  const [red = 0, green = 0, blue = 0] = colour
    .slice(1)
    .map((part) => Number.parseInt(part, 16) / (16 ** part.length - 1));
  return { input: reply({ type: "background", red, green, blue }), length };
}

const letters: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
};

/** Keys of the number pad in application mode. */
const shifted: Readonly<Record<string, string>> = { M: "enter", I: "tab" };

const numbers: Readonly<Record<number, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

function inputOf(parameters: string, final: string): ReadInput["input"] {
  if (parameters === "") return bareInput(final);
  if (parameters.startsWith("?")) return replyOf(parameters.slice(1), final);
  if (parameters.startsWith("<"))
    return final === "M" || final === "m" ? mouse(parameters.slice(1), final === "m") : null;
  if (!/^[0-9;:]*$/.test(parameters)) return null;
  if (parameters === "200" && final === "~") return "paste";
  const fields = parameters.split(";");
  const [modifier = "1", event = "1"] = (fields[1] ?? "").split(":");
  // Of a key that is held, every repetition counts; that it was let go does not.
  return event === "3" ? null : keyOfSequence(fields, Number(modifier || 1), final);
}

function bareInput(final: string): Input | null {
  switch (final) {
    case "I":
    case "O":
      return { type: "focus", isFocused: final === "I" };
    case "Z":
      return key("shift+tab");
    default:
      return named(letters[final], 1);
  }
}

function replyOf(parameters: string, final: string): Input | null {
  if (final === "u") return reply({ type: "keyboard", flags: Number(parameters) || 0 });
  return final === "c" ? reply({ type: "attributes" }) : null;
}

function keyOfSequence(fields: readonly string[], modifier: number, final: string): Input | null {
  const first = Number(fields[0]?.split(":")[0] || 1);
  switch (final) {
    case "~":
      if (first === 27 && fields.length >= 3) return keyOfCode(Number(fields[2]), modifier);
      return named(numbers[first], metaAsAlt(modifier));
    case "u":
      return kittyKey(fields, modifier);
    case "Z":
      return key(chordOf("tab", modifier, true));
    default:
      return named(letters[final], metaAsAlt(modifier));
  }
}

function mouse(parameters: string, isRelease: boolean): Input | null {
  if (!/^\d{1,6};\d{1,6};\d{1,6}$/.test(parameters)) return null;
  const [button = 0, column = 0, row = 0] = parameters.split(";").map(Number);
  const place = { column: Math.max(0, column - 1), row: Math.max(0, row - 1) };
  if ((button & 64) !== 0) {
    // The two after these scroll sideways.
    if ((button & 2) !== 0) return null;
    return { type: "mouse", action: (button & 1) === 0 ? "wheel-up" : "wheel-down", ...place };
  }
  if ((button & 32) !== 0) return { type: "mouse", action: "move", ...place };
  return { type: "mouse", action: isRelease ? "release" : "press", ...place };
}

function reply(given: TerminalReply): Input {
  return { type: "reply", reply: given };
}
