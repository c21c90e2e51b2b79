/** Takes secrets and control characters out of a text that people or logs will see. */
export type Redactor = (text: string) => string;

const shapes = [
  /\b(?:sk|pk|rk)-[\w*.-]{6,}/g,
  /\bAIza[\w*-]{10,}/g,
  /\bBearer\s+[\w*.~+/=-]+/gi,
  /\b(?:gsk|xai|hf|key)[-_][\w*-]{16,}/g,
];
const secretHeader = /auth|key|token|secret|cookie|password/i;
/** Shorter values are words such as `none`, not secrets. */
const shortestSecretChars = 4;

/**
 * @param apiKey  the provider's key
 * @param headers  configured headers; values of those whose name speaks of keys are secrets too
 */
export function createRedactor(apiKey: string | undefined, headers: Readonly<Record<string, string>>): Redactor {
  const secrets = [apiKey ?? "", ...Object.keys(headers).flatMap((name) => secretsOf(name, headers[name] ?? ""))]
    .flatMap((secret) => [secret, secret.trim(), encodeURIComponent(secret.trim().replace(/\p{Surrogate}/gu, ""))])
    .filter((secret) => secret.length >= shortestSecretChars)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const secret of secrets) clean = clean.replaceAll(secret, "[redacted]");
    for (const shape of shapes) clean = clean.replace(shape, "[redacted]");
    return clean.replace(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}\s]+/gu, " ").trim();
  };
}

function secretsOf(name: string, value: string): readonly string[] {
  return secretHeader.test(name) ? [value, value.replace(/^(?:Bearer|Basic)\s+/i, "")] : [];
}
