/** A part of an amount, rounded to whole cents. */
export function percentOf(cents, percent) {
  return Math.round((cents * percent) / 100);
}

/** 1234 → "12.34" */
export function formatCents(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
