import { AppError } from "@capstan/protocol";

const units: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/**
 * When something begins to count: a day, a time, or how long ago.
 * @returns ms since 1970
 * @throws AppError `usage.invalid`
 */
export function readSince(text: string, nowMs: number, flag = "--since"): number {
  const ago = /^(\d{1,5})([hdw])$/.exec(text);
  if (ago !== null) return nowMs - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0);
  // A day begins where its reader is, a time with its zone anywhere.
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00`) : Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(at)) return at;
  throw new AppError(
    "usage.invalid",
    `${flag} takes a day (2026-11-01), a time (2026-11-01T08:00) or 12h, 7d, 4w, not ${JSON.stringify(text)}.`,
  );
}
