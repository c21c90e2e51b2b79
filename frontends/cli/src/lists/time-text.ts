import { duration } from "@capstan/view";

/** How long ago: `just now`, `5 min ago`, `3 days ago`. Times in ms. */
export function agoText(at: number, now: number): string {
  return now - at < 1000 ? "just now" : `${duration(now - at)} ago`;
}

/** A time on the clock of whoever reads it: `2026-11-23 05:41`. */
export function localTime(at: number): string {
  const date = new Date(at);
  const [month, day, hour, minute] = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()].map(
    (part) => String(part).padStart(2, "0"),
  );
  return `${date.getFullYear()}-${month}-${day} ${hour}:${minute}`;
}
