// oxlint-disable no-control-regex -- sequences begin and end with control characters
import { controlChord, nameOf } from "./chord.ts";
import type { Input, ReadInput, TerminalReply } from "./input.ts";

/** Longer than any that a terminal sends; what is longer is given up. */
const commandCharacters: number = 64 * 1024;

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
  const match = /^\u001bO([0-9;]*)([A-Za-z])/.exec(text);
  if (match === null) {
    if (/^\u001bO[0-9;]*$/.test(text) && text.length < 16) return "more";
    return { input: key("alt+shift+o"), length: 2 };
  }
  const [whole, parameters = "", final = ""] = match;
  const name = shifted[final] ?? letters[final];
  const modifier = Number(parameters.split(";").at(-1) || 1);
  return { input: name === undefined ? null : key(chordOf(name, modifier)), length: whole.length };
}

/** What begins as a command to the terminal is an answer of it. It ends with BEL or ST. */
export function readOperatingSystemCommand(text: string): ReadInput | "more" {
  const end = /\u0007|\u001b\\|\u009c/.exec(text);
  if (end === null) return text.length < commandCharacters ? "more" : { input: null, length: text.length };
  const colour = /^\u001b\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})/i.exec(text);
  const length = end.index + end[0].length;
  if (colour === null || colour[0].length > end.index) return { input: null, length };
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
  E: "begin",
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
  const report = reports[final];
  if (report !== undefined) return report(parameters);
  const [codes = "", modifiers = "", code] = parameters.split(";");
  const first = numberOf(codes.split(":")[0]);
  const [modifier, event] = modifiers.split(":");
  // Of a key that is held, every repetition counts; that it was let go does not.
  if (event === "3") return null;
  const held = numberOf(modifier);
  switch (final) {
    case "~":
      if (parameters === "200") return "paste";
      if (first === 27 && code !== undefined) return keyOfCode(Number(code), held);
      return named(numbers[first], held);
    case "u":
      if (parameters.startsWith("?")) return reply({ type: "keyboard", flags: Number(parameters.slice(1)) || 0 });
      return keyOfCode(first, held);
    case "Z":
      return key(chordOf("tab", held, true));
    default:
      return /^[0-9;:]*$/.test(parameters) ? named(letters[final], held) : null;
  }
}

/** A parameter that is left out is 1. */
function numberOf(parameter: string | undefined): number {
  return parameter === undefined || parameter === "" ? 1 : Number(parameter);
}

/** What is no key: by the letter it ends with. */
const reports: Readonly<Record<string, (parameters: string) => Input | null>> = {
  I: (parameters) => (parameters === "" ? { type: "focus", isFocused: true } : null),
  O: (parameters) => (parameters === "" ? { type: "focus", isFocused: false } : null),
  c: (parameters) => (parameters.startsWith("?") ? reply({ type: "attributes" }) : null),
  M: (parameters) => (parameters.startsWith("<") ? mouse(parameters.slice(1), false) : null),
  m: (parameters) => (parameters.startsWith("<") ? mouse(parameters.slice(1), true) : null),
};

function named(name: string | undefined, modifier: number): Input | null {
  return name === undefined ? null : key(chordOf(name, modifier));
}

/** A key by the code of its character, as kitty's protocol and xterm's `modifyOtherKeys` send it. */
function keyOfCode(code: number, modifier: number): Input | null {
  if (!Number.isInteger(code) || code < 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return null;
  // Keys without a character, such as Shift by itself, lie in an area of private use.
  if (code >= 57344 && code <= 63743) return named(privateKeys[code], modifier);
  const bits = Math.max(0, modifier - 1);
  const character = String.fromCodePoint(code);
  if (code < 0x20 || code === 0x7f) {
    const name = controlChord(code);
    return key(name.startsWith("ctrl+") ? name : chordOf(name, modifier));
  }
  if (code >= 0x80 && code < 0xa0) return null;
  const isPlain = (bits & ~(shiftBit | lockBits)) === 0;
  if (isPlain) return { type: "text", text: (bits & shiftBit) === 0 ? character : character.toUpperCase() };
  return key(chordOf(nameOf(character), modifier));
}

const privateKeys: Readonly<Record<number, string>> = {
  57399: "0",
  57400: "1",
  57401: "2",
  57402: "3",
  57403: "4",
  57404: "5",
  57405: "6",
  57406: "7",
  57407: "8",
  57408: "9",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "page-up",
  57422: "page-down",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
};

const shiftBit = 1;
const altBit = 2;
const ctrlBit = 4;
/** Caps Lock and Num Lock. */
const lockBits = 64 | 128;

/** @param modifier  as terminals send it: 1 more than the bits */
function chordOf(name: string, modifier: number, isShifted = false): string {
  const bits = Math.max(0, modifier - 1) | (isShifted ? shiftBit : 0);
  const base = name.startsWith("shift+") ? name.slice("shift+".length) : name;
  const shift = (bits & shiftBit) !== 0 || base !== name;
  return `${(bits & ctrlBit) === 0 ? "" : "ctrl+"}${(bits & altBit) === 0 ? "" : "alt+"}${shift ? "shift+" : ""}${base}`;
}

function mouse(parameters: string, isRelease: boolean): Input | null {
  const [button = Number.NaN, column = Number.NaN, row = Number.NaN] = parameters.split(";").map(Number);
  if (![button, column, row].every((part) => Number.isInteger(part) && part >= 0)) return null;
  const place = { column: Math.max(0, column - 1), row: Math.max(0, row - 1) };
  if ((button & 64) !== 0) return { type: "mouse", action: (button & 1) === 0 ? "wheel-up" : "wheel-down", ...place };
  if ((button & 32) !== 0) return { type: "mouse", action: "move", ...place };
  return { type: "mouse", action: isRelease ? "release" : "press", ...place };
}

function key(chord: string): Input {
  return { type: "key", chord };
}

function reply(given: TerminalReply): Input {
  return { type: "reply", reply: given };
}
