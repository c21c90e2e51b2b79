import { createHash, randomBytes } from "node:crypto";
import type { Digest, Chance, Clock } from "@capstan/ports";

export const sha256: Digest = (text) => createHash("sha256").update(text).digest("hex");

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

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
