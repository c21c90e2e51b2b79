import type { IncomingHttpHeaders } from "node:http";

const secretName = /authorization|api-?key|token|cookie|secret/i;

/** Headers as they may be shown: one string each, secrets replaced. */
export function redactHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretName.test(name) ? "[redacted]" : String(value)]),
  );
}
