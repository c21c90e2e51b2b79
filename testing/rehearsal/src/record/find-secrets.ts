import type { IncomingHttpHeaders } from "node:http";

/** Takes secrets out of a text. */
export type Redactor = (text: string) => string;

const secretHeader = /authorization|api-?key|token|cookie|secret/i;
const secretParameter = /key|token|secret|auth|signature|password/i;
/** Shorter ones are words, such as `rehearsal`: taking them out would break texts, not keep a secret. */
const leastLength = 12;

/** Adds the secrets that a request itself carries, in headers and query, to what is taken out. */
export function withOwnSecrets(redact: Redactor, headers: IncomingHttpHeaders, target: string): Redactor {
  const fromHeaders = Object.entries(headers).flatMap(([name, value]) =>
    secretHeader.test(name) ? String(value).split(/[\s;,=]+/) : [],
  );
  const fromQuery = [...parametersOf(target)].flatMap(([name, value]) => (secretParameter.test(name) ? [value] : []));
  const secrets = [...new Set([...fromHeaders, ...fromQuery])]
    .filter((secret) => secret.length >= leastLength)
    .toSorted((a, b) => b.length - a.length);
  return (text) => secrets.reduce((said, secret) => said.replaceAll(secret, "***"), redact(text));
}

/** A target without the parameters that hold secrets. */
export function withoutSecretParameters(target: string): string {
  const path = target.split("?")[0] ?? "";
  const kept = new URLSearchParams([...parametersOf(target)].filter(([name]) => !secretParameter.test(name)));
  return kept.size === 0 ? path : `${path}?${kept.toString()}`;
}

function parametersOf(target: string): URLSearchParams {
  return new URLSearchParams(target.split("?").slice(1).join("?"));
}
