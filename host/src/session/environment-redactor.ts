import { createRedactor, type Redactor } from "@capstan/runtime";
import { secretValues } from "@capstan/settings";

/** Takes key-shaped words, and the values of variables that look like secrets, out of texts: for whoever writes files without a session. */
export function environmentRedactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  return createRedactor(secretValues(env));
}
