import type { Place } from "./place.ts";

/**
 * For a terminal's `script`: a shell that outlives the binary, and says how it finds the terminal's settings, in the files `before` and
 * `after` of the workspace. The binary's id stands in `pid`.
 * What the last process on a pseudo-terminal writes right before it ends is now and then lost with it: so it stays for a moment.
 */
export const besideShell = `stty -g > before; sh -c 'echo $$ > pid; exec "$@"' sh "$@"; for i in $(seq 100); do stty -g > after; cmp -s before after && break; sleep 0.05; done; echo; echo SHELL IS BACK; sleep 0.2`;

/** Ends the binary at once, and not its shell. */
export function killBinary(place: Place): void {
  process.kill(Number(place.read("pid").trim()), "SIGKILL");
}
