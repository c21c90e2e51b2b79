import type { Chance } from "@capstan/ports";

const idCharacters = 26;

/** Chance without chance: ids count up from 1, fractions repeat the given ones. */
export function sequentialChance(fractions: readonly number[] = [0]): Chance {
  let ids = 0;
  let drawn = 0;
  return {
    fraction() {
      const fraction = fractions[drawn % fractions.length] ?? 0;
      drawn += 1;
      return fraction;
    },
    id() {
      ids += 1;
      return ids.toString(36).padStart(idCharacters, "0");
    },
  };
}
