import { randomBytes } from "node:crypto";
import type { Chance } from "@capstan/ports";

const digits = "0123456789abcdefghijklmnopqrstuvwxyz";
const timeDigits = 9;
const randomDigits = 17;

/** The machine's own randomness; ids begin with the time, so that they sort by age. */
export const systemChance: Chance = {
  fraction: () => Math.random(),
  id() {
    const time = Date.now().toString(digits.length).padStart(timeDigits, "0");
    // 17 of 36 symbols are 87 bits; the slight bias of the modulo costs less than one of them.
    return time + Array.from(randomBytes(randomDigits), (byte) => digits[byte % digits.length]).join("");
  },
};
