import type { Settled } from "@capstan/protocol";
import { localTime } from "../lists/time-text.ts";

/** How something that waited was settled, as a line. */
export function settledText({ answer, origin, at }: Settled): string {
  const when = localTime(at);
  switch (answer.type) {
    case "expired":
      return `its time was up at ${when}; it counts as denied`;
    case "void":
      return `it was withdrawn at ${when}, because its turn ended or nobody could be asked`;
    default: {
      const who = origin.user === undefined ? origin.frontend : `${origin.user}, ${origin.frontend}`;
      return `it was answered before: ${answer.type} (${who}, ${when})`;
    }
  }
}
