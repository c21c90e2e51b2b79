import { createHash, randomBytes } from "node:crypto";
import type { Digest, Chance, Clock } from "@capstan/ports";

export const sha256: Digest = (text) => createHash("sha256").update(text).digest("hex");

const digits = "0123456789abcdefghijklmnopqrstuvwxyz";
/** 134 bits. The slight bias of the modulo costs less than one of them. */
const idDigits = 26;

/** The machine's own randomness; a few first characters of an id tell it from others. */
export const systemChance: Chance = {
  fraction: () => Math.random(),
  id: () => Array.from(randomBytes(idDigits), (byte) => digits[byte % digits.length]).join(""),
};

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Node loads what stands behind `performance` when it is first asked, which takes longer than all else here.
  elapsed: () => process.uptime() * 1000,
  after(delayMs, fire) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  },
};
