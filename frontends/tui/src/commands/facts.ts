import { type KnownFact, messageOf } from "@capstan/protocol";
import { inertLine } from "@capstan/view";
import { type Chat, cwdOf } from "../run/chat.ts";

const lineCharacters = 500;

/** Facts that the list shows. */
const listedAtOnce = 200;

/** `#WORDS` and `/remember WORDS`: asks where the words hold. They come back as the draft where the user thinks better of it. */
export async function remember(chat: Chat, words: string): Promise<void> {
  if (words === "") return chat.say("Write what is to be remembered: #We deploy on Fridays.");
  const choice = await chat.overlays.pick(`Remember: ${inertLine(words, lineCharacters)}`, [
    { value: "workspace" as const, label: "for work in this folder", about: cwdOf(chat) },
    { value: "user" as const, label: "for all my work", about: "" },
    { value: null, label: "do not remember it", about: "the words come back" },
  ]);
  if (choice === null) return chat.handBack(`#${words}`);
  try {
    const fact = await chat.engine.facts.remember({ text: words, scope: choice, cwd: cwdOf(chat) }, chat.identity);
    chat.say(`Remembered: ${inertLine(fact.text, lineCharacters)}. /facts lists what is.`);
  } catch (error) {
    chat.handBack(`#${words}`);
    chat.say(messageOf(error));
  }
}

/** `/facts [WORDS]`: what is remembered; the one that is chosen is forgotten, after a question. */
export async function showFacts(chat: Chat, words: string): Promise<void> {
  const wanted = words === "" ? {} : { words };
  const facts = await chat.engine.facts.list({ ...wanted, cwd: cwdOf(chat), limit: listedAtOnce });
  if (facts.length === 0)
    return chat.say(
      words === ""
        ? "Nothing is remembered here. Begin a line with # to remember it."
        : "No fact has any of these words.",
    );
  const chosen = await chat.overlays.pick(
    "Remembered here: Enter forgets one",
    facts.map((fact) => ({ value: fact, label: inertLine(fact.text, lineCharacters), about: aboutOf(fact) })),
  );
  if (chosen === null) return;
  const isSure = await chat.overlays.pick(`Forget: ${inertLine(chosen.text, lineCharacters)}`, [
    { value: false, label: "keep it", about: "" },
    { value: true, label: "forget it", about: "" },
  ]);
  if (isSure !== true) return;
  await chat.engine.facts.forget(chosen.id, chat.identity);
  chat.say("It is forgotten.");
}

function aboutOf({ kind, scope, isStale }: KnownFact): string {
  return [kind, ...(scope === "user" ? ["everywhere"] : []), ...(isStale ? ["may be out of date"] : [])].join(" · ");
}
