import { minSecretCharacters } from "./limits.ts";

export type Redactor = (text: string) => string;

/** Shapes of keys that vendors hand out. The prefix stays, so that people see what kind of key was there. */
const vendorKeys =
  /\b(sk-ant-|sk-proj-|sk-or-|sk-|AIza|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|AKIA|npm_|hf_)[A-Za-z0-9_-]{16,}/g;
const privateKeys = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g;

/**
 * Makes the function that takes secrets out of a text: the given values wherever they occur, vendor-shaped keys, private keys.
 * @param secrets  values that must never leave; short ones are ignored
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const values = [...new Set(secrets)]
    .filter((secret) => secret.length >= minSecretCharacters)
    .toSorted((a, b) => b.length - a.length);
  return (text) => {
    const shaped = text.replace(vendorKeys, "$1***").replace(privateKeys, "$1***$2");
    return values.reduce(
      (redacted, secret) => (redacted.includes(secret) ? redacted.replaceAll(secret, "***") : redacted),
      shaped,
    );
  };
}
