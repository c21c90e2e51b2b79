/** A secret in a text, with what is shown in its place. UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** What was found in a text. */
export interface Findings {
  readonly spans: readonly Span[];
  /** Where something begins that what follows the text may make a secret; the text's length when there is nothing. */
  readonly openFrom: number;
}

/** Joins findings of several searches: spans in order, none overlapping another. */
export function joinFindings(first: Findings, second: Findings): Findings {
  const openFrom = Math.min(first.openFrom, second.openFrom);
  if (second.spans.length === 0) return { spans: first.spans, openFrom };
  if (first.spans.length === 0) return { spans: second.spans, openFrom };
  const ordered = [...first.spans, ...second.spans].toSorted((a, b) => a.start - b.start || b.end - a.end);
  const spans: Span[] = [];
  for (const span of ordered) {
    const last = spans.at(-1);
    if (last === undefined || span.start >= last.end) spans.push(span);
    else if (span.end > last.end)
      spans[spans.length - 1] = { ...last, end: span.end, replacement: `${last.replacement}***` };
  }
  return { spans, openFrom };
}

/** The text with every span replaced. */
export function withoutSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let clean = "";
  let from = 0;
  for (const span of spans) {
    clean += text.slice(from, span.start) + span.replacement;
    from = span.end;
  }
  return clean + text.slice(from);
}
