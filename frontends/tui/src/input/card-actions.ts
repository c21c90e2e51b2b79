import { editedText, type Row, wrapRow } from "@capstan/view";
import { askedLines } from "../card/asked-lines.ts";
import type { CardIntent } from "../card/card.ts";
import { answer, discard, resume } from "../run/sending.ts";
import type { Chat } from "../run/chat.ts";

/** What a key on a card led to. */
export function carryOut(chat: Chat, intent: CardIntent): void {
  switch (intent.type) {
    case "answer":
      void answer(chat, intent.id, intent.answer);
      return;
    case "details":
      showDetails(chat, intent.id);
      return;
    case "edit":
      void editCall(chat, intent.id);
      return;
    case "resume":
      void resume(chat);
      return;
    case "discard":
      void discard(chat);
      return;
    case "later":
      chat.say("It waits. Tab returns to it; `capstan answer` answers it from elsewhere.");
      return;
  }
}

/** Everything that a user needs to decide, whole. */
function showDetails(chat: Chat, id: string): void {
  const asked = chat.session.asked.find((pending) => pending.id === id);
  if (asked === undefined) return;
  const rows = askedLines(asked, Date.now()).flatMap(({ tone, text }): readonly Row[] => {
    const role = tone === "plain" ? [] : tone === "diff" ? diffRole(text) : ([tone] as const);
    const indentation = /^ */.exec(text)?.[0] ?? "";
    return wrapRow(
      [{ text: text.slice(indentation.length), roles: role }],
      Math.max(8, chat.columns - indentation.length),
    ).map((row) => [{ text: indentation, roles: [] }, ...row]);
  });
  chat.overlays.show("What is asked", rows);
}

function diffRole(text: string): readonly ("added" | "removed" | "muted")[] {
  const [mark] = text.trimStart();
  return mark === "+" ? ["added"] : mark === "-" ? ["removed"] : ["muted"];
}

/** The call's text in the user's editor; what they make of it is another action, and judged again. */
async function editCall(chat: Chat, id: string): Promise<void> {
  const interaction = chat.session.pending.find((pending) => pending.id === id);
  if (interaction?.request.type !== "approval") return;
  const { text, ending, read } = editedText(interaction.request.action);
  const edited = await chat.lend(() => chat.surroundings.edit(text, ending));
  if ("problem" in edited) return chat.say(edited.problem);
  if (edited.text === text) return chat.say("Nothing was changed; it still waits.");
  const result = read(edited.text);
  if ("problem" in result) return chat.say(result.problem);
  await answer(chat, id, { type: "edit", digest: interaction.digest, arguments: result.arguments });
}
