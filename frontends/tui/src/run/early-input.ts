import type { Input } from "../keys/input.ts";

/** OSC 11; the answer comes whenever it does, and nothing waits for it. */
export const backgroundQuery = "\u001b]11;?\u001b\\";

export function saysBackground(input: Input): input is Extract<Input, { type: "reply" }> {
  return input.type === "reply" && input.reply.type === "background";
}

/** Before Capstan had the terminal, Enter came as the end of a line. */
export function asTypedEarly(input: Input): Input {
  return input.type === "key" && input.chord === "ctrl+j" ? { type: "key", chord: "enter" } : input;
}
