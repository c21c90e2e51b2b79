/** A date (its beginning, UTC) or a time with its zone, in ms since 1970; `undefined` for anything else. */
export function instantOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text))
    return undefined;
  const instant = Date.parse(text.replace(" ", "T"));
  if (Number.isNaN(instant)) return undefined;
  // There is no 30th of February, though some would take it for the 2nd of March.
  const day = Number(text.slice(8, 10));
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day ? instant : undefined;
}
