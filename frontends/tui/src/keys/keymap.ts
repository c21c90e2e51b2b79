import { AppError, type JsonValue } from "@capstan/protocol";
import { defaultKeys, type KeyAction } from "./key-actions.ts";

/** What a chord does. */
export type Keymap = ReadonlyMap<string, KeyAction>;

/**
 * The keys as `[keys]` of the configuration says: the chords it names for an action are all that the action has, and they are taken
 * from those that have them where nobody says anything.
 * @throws AppError `config.invalid` naming the action, the chord, and the other action that has it, too
 */
export function keymapOf(table: Readonly<Record<string, JsonValue>> = {}): Keymap {
  const chosen = new Map<string, KeyAction>();
  for (const action of keyActions) {
    for (const chord of Object.hasOwn(table, action) ? chordsOf(action, table[action]) : []) {
      const other = chosen.get(chord);
      if (other !== undefined && other !== action)
        throw invalid(`keys.${other} and keys.${action} both have ${chord}`, "Give the chord to one of them.");
      chosen.set(chord, action);
    }
  }
  const usual = keyActions
    .filter((action) => !Object.hasOwn(table, action))
    .flatMap((action) => defaultKeys[action].map((chord): [string, KeyAction] => [chord, action]));
  return new Map([...usual, ...chosen]);
}

/** The chords of an action, as people write them: `Ctrl-Enter`. */
export function chordsShown(keymap: Keymap, action: KeyAction): readonly string[] {
  return [...keymap].filter(([, named]) => named === action).map(([chord]) => chordShown(chord));
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names of the table are its keys
export const keyActions: readonly KeyAction[] = Object.keys(defaultKeys) as readonly KeyAction[];

function chordsOf(action: KeyAction, value: JsonValue | undefined): readonly string[] {
  const written: readonly JsonValue[] = Array.isArray(value) ? value : [value ?? null];
  return written.map((chord) => {
    if (typeof chord === "string") return chordFrom(action, chord);
    throw invalid(`keys.${action}: expected chords such as ["ctrl+k", "f2"]`, "An empty list takes its keys away.");
  });
}

const modifiers = ["ctrl", "alt", "shift"] as const;
const otherNames: Readonly<Record<string, string>> = {
  control: "ctrl",
  meta: "alt",
  option: "alt",
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
  pageup: "page-up",
  pagedown: "page-down",
  pgup: "page-up",
  pgdn: "page-down",
};
const keyName =
  /^(?:enter|escape|tab|backspace|delete|insert|space|up|down|left|right|home|end|page-up|page-down|f(?:[1-9]|1[0-2]))$/;

/** In the one form in which chords are read from the terminal. */
function chordFrom(action: KeyAction, written: string): string {
  const parts = written
    .trim()
    .toLowerCase()
    .split(/\+(?=.)/)
    .map((part) => otherNames[part] ?? part);
  const name = parts.at(-1) ?? "";
  const held = parts.slice(0, -1);
  const isKnown = keyName.test(name) || /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(name);
  const wrong = held.find((part) => !modifiers.some((modifier) => modifier === part));
  if (!isKnown || wrong !== undefined)
    throw invalid(
      `keys.${action}: ${JSON.stringify(written)} names no key`,
      "Write chords as ctrl+k, alt+enter, shift+tab or f2.",
    );
  const isText = (!keyName.test(name) || name === "space") && !held.includes("ctrl") && !held.includes("alt");
  if (isText)
    throw invalid(`keys.${action}: ${JSON.stringify(written)} is what people type`, "Put ctrl or alt before it.");
  return [...modifiers.filter((modifier) => held.includes(modifier)), name].join("+");
}

function chordShown(chord: string): string {
  return chord
    .split(/\+(?=.)/)
    .map((part) => part.replaceAll(/(?:^|(?<=-))[a-z]/g, (letter) => letter.toUpperCase()))
    .join("-");
}

function invalid(message: string, hint: string): AppError {
  return new AppError("config.invalid", message, { hint });
}
