import { AppError } from "@capstan/protocol";

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/**
 * Reads `90s`, `5m`, `1h30m`, `500ms`, or plain seconds.
 * @returns ms, at least 1
 * @throws {AppError} `usage.invalid`
 */
export function parseDuration(text: string, flag: string): number {
  const parts = /^\d+$/.test(text) ? [[text, text, "s"]] : [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const whole = parts.map((part) => part[0]).join("");
  const totalMs = parts.reduce((sum, [, amount = "0", unit = "s"]) => sum + Number(amount) * (unitsMs[unit] ?? 0), 0);
  if (whole !== text || totalMs < 1 || totalMs > 2 ** 31 - 1) {
    throw new AppError(
      "usage.invalid",
      `${flag} takes a duration such as 90s, 5m or 1h30m, not ${JSON.stringify(text)}`,
    );
  }
  return Math.round(totalMs);
}
