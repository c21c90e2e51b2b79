import { keyAbouts } from "../keys/key-actions.ts";
import { chordsShown, keyActions, type Keymap } from "../keys/keymap.ts";

/** Keys as help shows them. */
export function keyHelp(keymap: Keymap): readonly (readonly [keys: string, about: string])[] {
  const named = keyActions.flatMap((action): readonly (readonly [string, string])[] => {
    const chords = chordsShown(keymap, action);
    return chords.length === 0 ? [] : [[chords.join(", "), keyAbouts[action]]];
  });
  return [...signs, ...named];
}

/** What begins with a sign, and what only the card takes. */
const signs: readonly (readonly [string, string])[] = [
  ["/", "commands"],
  ["@", "a file"],
  ["!", "run a command yourself"],
  ["#", "remember a line beyond this session"],
  ["1 to 9, arrows and Enter", "answer the card that has the focus"],
];
