import { type ProgressLine, wrapText } from "@capstan/view";

const codes = { plain: "", muted: "2", good: "32", bad: "31", warning: "33", diff: "2" } as const;

/** A line as a terminal shows it. Its text is inert already. */
export function paintLine({ tone, text }: ProgressLine, colors: boolean): string {
  const code = tone === "diff" ? diffCode(text) : codes[tone];
  return colors && code !== "" ? `\u001b[${code}m${text}\u001b[0m` : text;
}

/** Output and changes are shown as they are, and so is what is to be pasted. */
const isQuoted = /^ {4}|\bcapstan [a-z-]/;

/** A line in rows that end between words, where it goes to a terminal of `columns`. */
export function fittedRows(line: ProgressLine, columns: number | undefined): readonly ProgressLine[] {
  if (columns === undefined || line.tone === "diff" || isQuoted.test(line.text)) return [line];
  return line.text.split("\n").flatMap((text) => wrapText(text, columns).map((row) => ({ ...line, text: row })));
}

function diffCode(text: string): string {
  const [mark] = text.trimStart();
  return mark === "+" ? codes.good : mark === "-" ? codes.bad : codes.diff;
}
