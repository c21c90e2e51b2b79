import { controlChord, nameOf } from "./chord.ts";
import type { Input } from "./input.ts";

/** `CSI code:shifted:base ; modifiers:event ; text u`, of which all but the code may be left out. */
export function kittyKey([codes = "", , text = ""]: readonly string[], modifier: number): Input | null {
  const [code = 0, withShift = 0] = codes.split(":").map(Number);
  if (!isTyped(modifier)) return keyOfCode(code, modifier);
  const typed = text
    .split(":")
    .filter((part) => part !== "")
    .map(Number);
  if (typed.length > 0 && typed.every(isPrintable)) return { type: "text", text: String.fromCodePoint(...typed) };
  return isPrintable(withShift) && (modifier - 1) & shiftBit ? keyOfCode(withShift, 1) : keyOfCode(code, modifier);
}

/** Whether a key is held with nothing that makes a command of it. */
function isTyped(modifier: number): boolean {
  return ((modifier - 1) & ~(shiftBit | lockBits)) === 0;
}

function isPrintable(code: number): boolean {
  if (!Number.isInteger(code) || code < 0x20 || code > 0x10ffff) return false;
  return (code < 0x7f || code >= 0xa0) && (code < 0xd800 || code >= 0xe000) && (code < 57344 || code > 63743);
}

/** xterm names Meta what kitty's protocol names Super; with keys that have no character it is Alt. */
export function metaAsAlt(modifier: number): number {
  const bits = Math.max(0, modifier - 1);
  return (bits & superBit) === 0 ? modifier : ((bits & ~superBit) | altBit) + 1;
}

export function named(name: string | undefined, modifier: number): Input | null {
  return name === undefined ? null : key(chordOf(name, modifier));
}

/** A key by the code of its character, as kitty's protocol and xterm's `modifyOtherKeys` send it. */
export function keyOfCode(code: number, modifier: number): Input | null {
  const bits = Math.max(0, modifier - 1);
  // Chords with these belong to the desktop.
  if ((bits & (superBit | hyperBit)) !== 0) return null;
  // Keys without a character, such as Shift by itself, lie in an area of private use.
  const pad = padCharacters[code - 57399];
  if (pad !== undefined) return keyOfCode(pad.charCodeAt(0), modifier);
  if (code in privateKeys) return named(privateKeys[code], modifier);
  if ((code >= 0 && code < 0x20) || code === 0x7f) {
    const name = controlChord(code);
    return key(name.startsWith("ctrl+") ? name : chordOf(name, modifier));
  }
  if (!isPrintable(code)) return null;
  const character = String.fromCodePoint(code);
  if (!isTyped(modifier)) return key(chordOf(nameOf(character), modifier));
  const isUpper = ((bits & shiftBit) === 0) === ((bits & capsBit) !== 0);
  return { type: "text", text: isUpper ? character.toUpperCase() : character };
}

/** What the keys of the number pad type, from code 57399; no text: a key by name. */
const padCharacters: readonly (string | undefined)[] = [..."0123456789./*-+".split(""), undefined, "=", ","];

const privateKeys: Readonly<Record<number, string>> = {
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
const superBit = 8;
const hyperBit = 16;
const capsBit = 64;
/** Caps Lock and Num Lock. */
const lockBits: number = capsBit | 128;

/** @param modifier  as terminals send it: 1 more than the bits */
export function chordOf(name: string, modifier: number, isShifted = false): string {
  const bits = Math.max(0, modifier - 1) | (isShifted ? shiftBit : 0);
  const base = name.startsWith("shift+") ? name.slice("shift+".length) : name;
  const shift = (bits & shiftBit) !== 0 || base !== name;
  return `${(bits & ctrlBit) === 0 ? "" : "ctrl+"}${(bits & altBit) === 0 ? "" : "alt+"}${shift ? "shift+" : ""}${base}`;
}

export function key(chord: string): Input {
  return { type: "key", chord };
}
