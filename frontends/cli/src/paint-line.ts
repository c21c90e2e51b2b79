import type { ProgressLine } from "@capstan/view";

const codes = { plain: "", muted: "2", good: "32", bad: "31", warning: "33", diff: "2" } as const;

/** A line as a terminal shows it. Its text is inert already. */
export function paintLine({ tone, text }: ProgressLine, colors: boolean): string {
  const code = tone === "diff" ? diffCode(text) : codes[tone];
  return colors && code !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
}

function diffCode(text: string): string {
  const [mark] = text.trimStart();
  return mark === "+" ? codes.good : mark === "-" ? codes.bad : codes.diff;
}
