import { type Interaction, type InteractionAnswer, type InteractionRequest, unreachable } from "@capstan/protocol";
import { interactionLines, type ProgressLine } from "@capstan/view";
import { maxMisunderstandings } from "../limits.ts";
import { readAnswer } from "./read-answer.ts";
import type { AskTerminal } from "./on-ask.ts";

/** Anything but a call that waits to be approved. */
export type AskedInWords = Interaction & { readonly request: Exclude<InteractionRequest, { type: "approval" }> };

/**
 * Asks the user at the terminal, in lines. Only what is certainly an answer is one: anything else is asked again, and silence, Escape
 * or a closed terminal is no answer at all.
 * @returns `null` when there is none
 */
export async function askInline(
  interaction: AskedInWords,
  terminal: AskTerminal,
  signal: AbortSignal,
): Promise<InteractionAnswer | null> {
  const { request } = interaction;
  terminal.show(interactionLines(interaction, Date.now()));
  const given: string[] = [];
  for (let misread = 0; misread < maxMisunderstandings;) {
    const line = await terminal.ask(promptFor(interaction, given.length), signal);
    if (line === null || signal.aborted) return null;
    const read = readAnswer(interaction, [...given, line]);
    switch (read.type) {
      case "answer":
        return read.answer;
      case "more":
        given.push(line);
        break;
      case "view":
        terminal.show(wholeRequest(request));
        misread += 1;
        break;
      case "unclear":
        terminal.show([{ tone: "warning", text: `${read.problem} Nothing was answered.` }]);
        misread += 1;
        break;
      default:
        return unreachable(read);
    }
  }
  terminal.show([{ tone: "warning", text: "Too many answers that were not understood." }]);
  return null;
}

/** @param given  lines that were answered already */
function promptFor({ request }: AskedInWords, given: number): string {
  switch (request.type) {
    case "question":
      return `${given + 1}. answer${numbersHint(request, given)}, or /deny> `;
    case "plan-review":
      return "[p] proceed  [c] proceed, forget what was said before  [a WORDS] adjust  [x] cancel  [v] view> ";
    case "budget":
      return "[c] continue  [s] stop> ";
    case "recovery":
      return "[d] it was done  [r] run it again  [u] undo  [t] tell the model  [x] end the turn> ";
    default:
      return unreachable(request);
  }
}

function numbersHint({ questions }: Extract<InteractionRequest, { type: "question" }>, at: number): string {
  const asked = questions[at];
  if (asked === undefined || asked.options.length === 0) return "";
  return asked.multiple ? " (numbers with commas, or words)" : " (a number, or words)";
}

function wholeRequest(request: InteractionRequest): readonly ProgressLine[] {
  return JSON.stringify(request, null, 2)
    .split("\n")
    .map((text) => ({ tone: "muted", text }));
}
