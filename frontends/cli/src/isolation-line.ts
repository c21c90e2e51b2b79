import { type Isolation, unreachable } from "@capstan/protocol";
import { inertLine, type ProgressLine } from "@capstan/view";

const reasonCharacters = 400;

/** How far commands are kept apart from the machine, as the line that every run begins with. Inert. */
export function isolationLine(isolation: Isolation): ProgressLine {
  switch (isolation.type) {
    case "enforced":
      return { tone: "muted", text: "sandbox: enforced" };
    case "partial": {
      const lacks = inertLine(isolation.lacks.join(", "), reasonCharacters);
      return { tone: "warning", text: `SANDBOX NOT WHOLE: commands could ${lacks}` };
    }
    case "none":
      return { tone: "bad", text: `NO SANDBOX: ${inertLine(isolation.reason, reasonCharacters)}` };
    default:
      return unreachable(isolation);
  }
}
