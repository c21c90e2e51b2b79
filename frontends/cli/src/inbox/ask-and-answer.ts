import { ask } from "../asking/ask.ts";
import type { AskTerminal } from "../asking/on-ask.ts";
import type { CommandContext } from "../command-context.ts";
import { sendAnswer, tell, tooLate } from "./answer-interactions.ts";

/** Asks a user at the terminal what they answer, one after the other. @returns 1 when one was not answered, or changed nothing */
export async function askAndAnswer(
  context: CommandContext,
  ids: readonly string[],
  terminal: AskTerminal,
): Promise<number> {
  let isRefused = false;
  for (const id of ids) {
    const found = await context.client.interactions.find(id);
    if (found.type === "settled") {
      tell(context, tooLate(found), false);
      isRefused = true;
      continue;
    }
    const { signal } = new AbortController();
    const { role } = context.identity;
    const [given] = (await ask([found.entry.interaction], { terminal, role, signal })) ?? [];
    if (given === undefined) {
      context.streams.progress.write(`capstan: ${found.entry.interaction.id} still waits; nothing was answered.\n`);
      return 1;
    }
    const reported = await sendAnswer(context, found.entry, given.answer);
    tell(context, reported, false);
    isRefused ||= reported.outcome === "refused";
  }
  return isRefused ? 1 : 0;
}
