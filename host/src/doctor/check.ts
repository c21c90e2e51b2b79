/** One thing that was looked at. */
export interface Check {
  /** What was looked at, in a word or two. */
  readonly name: string;
  /** `note`: worth knowing, and no problem. */
  readonly verdict: "good" | "bad" | "note";
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
}

export function good(name: string, text: string): Check {
  return { name, verdict: "good", text };
}

export function note(name: string, text: string): Check {
  return { name, verdict: "note", text };
}

export function bad(name: string, text: string, advice: string): Check {
  return { name, verdict: "bad", text, advice };
}
