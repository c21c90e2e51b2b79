import type { Check } from "@capstan/protocol";

export function good(name: string, text: string): Check {
  return { name, verdict: "good", text };
}

export function note(name: string, text: string): Check {
  return { name, verdict: "note", text };
}

export function bad(name: string, text: string, advice: string): Check {
  return { name, verdict: "bad", text, advice };
}
