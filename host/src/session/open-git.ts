import type { Git } from "@capstan/ports";
import { openGit } from "@capstan/git";

/** Git for tools: a file that is loaded with the first call of one of them. */
export function gitOf(home: string): Git {
  return openGit(home);
}
