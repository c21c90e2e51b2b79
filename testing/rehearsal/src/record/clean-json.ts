import type { Redactor } from "./find-secrets.ts";

/** A JSON value with every text in it redacted, names of fields as well. */
export function cleanJson(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanJson(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), cleanJson(item, redact)]));
}

/** A text that may be JSON, redacted; the very same text where nothing is to be taken out. */
export function cleanText(text: string, redact: Redactor): string {
  const value = parsed(text);
  if (value === undefined) return redact(text);
  // Escapes hide a secret from whoever looks at the text, not from who reads it.
  const cleaned = JSON.stringify(cleanJson(value.json, redact));
  return cleaned === JSON.stringify(value.json) ? text : cleaned;
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
