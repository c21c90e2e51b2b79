import { isJsonObject } from "@capstan/protocol";

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Pictures are no text in which a secret could stand. */
const base64 = /^[A-Za-z0-9+/]{256,}={0,2}$/;

/** The same plain JSON without secrets, whatever its fields: every text in it, names of fields included. */
export function withoutSecrets<Value extends object>(value: Value, redact: Redact): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the same form: only texts differ, and no tag of a union is a secret
  return redacted(value, redact, "") as Value;
}

function redacted(value: unknown, redact: Redact, key: string): unknown {
  if (typeof value === "string") return key === "data" && base64.test(value) ? value : redact(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact, ""));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redact(name), redacted(item, redact, name)]));
}
