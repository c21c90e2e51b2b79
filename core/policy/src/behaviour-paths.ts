import { governsByPath } from "@capstan/protocol";

/** Whether a rule's pattern spells such a name out: what governs is changed by no wide rule unasked. */
export function namesBehaviour(pattern: string | undefined): boolean {
  return pattern !== undefined && governsByPath(pattern);
}
