import { editedText, type Row, wrapRow } from "@capstan/view";
import { askedLines } from "../card/asked-lines.ts";
import type { Asked } from "../card/card-choices.ts";
import type { CardIntent } from "../card/card.ts";
import { answer, discard, resume, settle } from "../run/sending.ts";
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
    case "settle":
      void settle(chat, intent.decision, intent.ids);
      return;
    case "later":
      chat.say(laterText(chat));
      return;
  }
}

function laterText({ session }: Chat): string {
  return session.asked[0]?.request.type === "proposed"
    ? "It stays proposed. Tab or /proposals returns to it."
    : "It waits. Tab returns to it; `capstan answer` answers it from elsewhere.";
}

/** Everything that a user needs to decide, whole: of proposed changes all, each to be jumped to. */
function showDetails(chat: Chat, id: string): void {
  const { asked } = chat.session;
  const one = asked.find((pending) => pending.id === id);
  if (one === undefined) return;
  const all = one.request.type === "proposed" ? asked.filter(({ request }) => request.type === "proposed") : [one];
  const rows: Row[] = [];
  const marks: number[] = [];
  for (const each of all) {
    if (rows.length > 0) rows.push([]);
    marks.push(rows.length);
    rows.push(...detailRows(each, chat.columns));
  }
  chat.overlays.show("What is asked", rows, { marks });
}

function detailRows(asked: Asked, columns: number): readonly Row[] {
  return askedLines(asked, Date.now()).flatMap(({ tone, text }): readonly Row[] => {
    const role = tone === "plain" ? [] : tone === "diff" ? diffRole(text) : ([tone] as const);
    const indentation = /^ */.exec(text)?.[0] ?? "";
    return wrapRow(
      [{ text: text.slice(indentation.length), roles: role }],
      Math.max(8, columns - indentation.length),
    ).map((row) => [{ text: indentation, roles: [] }, ...row]);
  });
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
