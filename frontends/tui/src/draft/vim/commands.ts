import { isFindKey, motions } from "./motions.ts";
import { objects } from "./objects.ts";

export type Operator = "d" | "c" | "y" | ">" | "<" | "~" | "u" | "U";

/** What an operator works on. */
export type Subject =
  | { readonly type: "lines" }
  | { readonly type: "selection"; readonly isLines: boolean }
  | { readonly type: "motion"; readonly name: string; readonly letter: string }
  | { readonly type: "object"; readonly name: string; readonly isWhole: boolean };

export type Command = { readonly count: number | null } & (
  | { readonly type: "operate"; readonly operator: Operator; readonly subject: Subject }
  | { readonly type: "move"; readonly name: string; readonly letter: string }
  /** In visual mode. */
  | { readonly type: "extend"; readonly name: string; readonly isWhole: boolean }
  | { readonly type: "edit"; readonly name: EditName; readonly letter: string }
);

const operators = ["d", "c", "y", ">", "<"] as const;

/** Short forms of normal mode, each with what it stands for. */
const shortForms: Readonly<Record<string, string>> = {
  x: "dl",
  X: "dh",
  D: "d$",
  s: "cl",
  S: "cc",
  C: "c$",
  Y: "yy",
  delete: "dl",
};

/** Keys that are other names. */
const sameKeys: Readonly<Record<string, string>> = {
  left: "h",
  right: "l",
  backspace: "h",
  " ": "l",
  space: "l",
  home: "0",
  end: "$",
};

/** Commands of normal mode that are one key, and perhaps a letter. */
const edits = ["i", "a", "I", "A", "o", "O", "v", "V", "p", "P", "J", "~", "r", "u", "ctrl+r", "."] as const;
export type EditName = (typeof edits)[number];

/** Operators of visual mode; upper case: on whole lines. */
const selected: Readonly<Record<string, readonly [operator: Operator, isLines: boolean]>> = {
  d: ["d", false],
  x: ["d", false],
  delete: ["d", false],
  c: ["c", false],
  s: ["c", false],
  y: ["y", false],
  ">": [">", false],
  "<": ["<", false],
  "~": ["~", false],
  u: ["u", false],
  U: ["U", false],
  D: ["d", true],
  X: ["d", true],
  C: ["c", true],
  S: ["c", true],
  R: ["c", true],
  Y: ["y", true],
};

const visualEdits: readonly EditName[] = ["v", "V", "o", "p", "P", "J", "r"];

/** A command, or that keys of it are still to come; `null`: there is none that begins so. */
export type Reading = Command | "unfinished" | null;

export function readCommand(typed: readonly string[], isVisual: boolean): Reading {
  const [count, keys] = readCount(typed.map((key, at) => (at === 0 ? (sameKeys[key] ?? key) : key)));
  const [key, ...rest] = keys;
  if (key === undefined) return "unfinished";
  return isVisual ? readVisual(key, rest, count) : readNormal(key, rest, count);
}

function readNormal(key: string, rest: readonly string[], count: number | null): Reading {
  const long = shortForms[key];
  if (long !== undefined) return readNormal(long.charAt(0), long.slice(1).split(""), count);
  const operator = operators.find((known) => known === key);
  if (operator !== undefined) return readSubject(operator, rest, count);
  return readMotion([key, ...rest], count) ?? readEdit(edits, key, rest, count);
}

function readVisual(key: string, rest: readonly string[], count: number | null): Reading {
  const entry = selected[key];
  if (entry !== undefined) {
    const [operator, isLines] = entry;
    return { type: "operate", operator, subject: { type: "selection", isLines }, count };
  }
  if (key === "i" || key === "a") {
    const [name] = rest;
    if (name === undefined) return "unfinished";
    return Object.hasOwn(objects, name) ? { type: "extend", name, isWhole: key === "a", count } : null;
  }
  return readMotion([key, ...rest], count) ?? readEdit(visualEdits, key, rest, count);
}

/** What follows an operator: itself, a motion or an object; its own count multiplies the first. */
function readSubject(operator: Operator, typed: readonly string[], first: number | null): Reading {
  const [second, keys] = readCount(typed);
  const count = first === null ? second : first * (second ?? 1);
  const [key, name] = keys;
  if (key === undefined) return "unfinished";
  if (key === operator) return { type: "operate", operator, subject: { type: "lines" }, count };
  if (key === "i" || key === "a") {
    if (name === undefined) return "unfinished";
    if (!Object.hasOwn(objects, name)) return null;
    return { type: "operate", operator, subject: { type: "object", name, isWhole: key === "a" }, count };
  }
  const motion = readMotion([sameKeys[key] ?? key, ...keys.slice(1)], count);
  if (motion === null || motion === "unfinished" || motion.type !== "move") return motion;
  return { type: "operate", operator, subject: { ...motion, type: "motion" }, count };
}

function readMotion([key = "", next]: readonly string[], count: number | null): Reading {
  const takesLetter = isFindKey(key);
  if (takesLetter || key === "g") {
    if (next === undefined) return "unfinished";
    const name = takesLetter ? key : key + next;
    return Object.hasOwn(motions, name) ? { type: "move", name, letter: next, count } : null;
  }
  return Object.hasOwn(motions, key) ? { type: "move", name: key, letter: "", count } : null;
}

function readEdit(names: readonly EditName[], key: string, rest: readonly string[], count: number | null): Reading {
  const name = names.find((known) => known === key);
  if (name === undefined) return null;
  const [letter = ""] = rest;
  return name === "r" && letter === "" ? "unfinished" : { type: "edit", name, letter, count };
}

/** 0 is a digit only behind another. */
function readCount(keys: readonly string[]): [count: number | null, rest: readonly string[]] {
  const found = keys.findIndex((key, at) => !(at === 0 ? /^[1-9]$/ : /^[0-9]$/).test(key));
  const at = found === -1 ? keys.length : found;
  return [at === 0 ? null : Math.min(mostTimes, Number(keys.slice(0, at).join(""))), keys.slice(at)];
}

/** What is repeated more often was a slip of the finger. */
const mostTimes = 9999;
