import { cutRow, inertLine, type Row, rowOf } from "@capstan/view";
import { type Completion, completionAt, replaceRange } from "../draft/completion.ts";
import type { Draft } from "../draft/draft.ts";
import { customCommands } from "../commands/custom-commands.ts";
import { type SlashCommand, slashesFor } from "../commands/slash-commands.ts";
import type { Chat } from "../run/chat.ts";

const offersShown = 8;
const entryCharacters = 200;

/** The word that is being written, where something can complete it here. */
function wordAt(draft: Draft): Completion | null {
  const word = completionAt(draft);
  return word === null || word.sign === "#" ? null : word;
}

/** Shows what the word under the caret may become. */
export function offer(chat: Chat): void {
  const word = wordAt(chat.draft);
  if (word === null || chat.offersAreClosed) {
    if (word === null) chat.offersAreClosed = false;
    chat.offers = [];
    chat.offerAt = 0;
    return;
  }
  if (word.sign === "/") {
    const custom = customCommands(chat);
    const offers = /\s/.test(word.text) ? argumentsFor(word.text, custom) : commandsFor(word.text, custom);
    return showOffers(chat, offers.slice(0, offersShown));
  }
  void offerFiles(chat, word.text);
}

interface Offer {
  readonly text: string;
  readonly about: string;
}

/** @param custom  of the user's own and of the workspace; those that the terminal UI has itself come first */
function commandsFor(typed: string, custom: readonly SlashCommand[]): readonly Offer[] {
  const lower = typed.toLowerCase();
  const others = custom.filter(({ name }) => name.toLowerCase().includes(lower));
  return [...slashesFor(typed), ...others].map(({ name, takes, about }) => ({
    text: `/${name}`,
    about: `${takes === "" ? "" : `${takes}  `}${about}`,
  }));
}

/** Words that a command takes, where it names them all: `[plan|default]`. */
function argumentsFor(typed: string, custom: readonly SlashCommand[]): readonly Offer[] {
  const [name = "", word = ""] = typed.split(/\s+/);
  const command = [...slashesFor(name), ...custom].find((each) => each.name === name);
  const choices = /^[[<]?([\w-]+(?:\|[\w-]+)+)[\]>]?$/.exec(command?.takes ?? "")?.[1]?.split("|") ?? [];
  return choices
    .filter((choice) => choice.startsWith(word.toLowerCase()))
    .map((choice) => ({ text: `/${name} ${choice}`, about: "" }));
}

/** Files whose paths have the letters; what was typed meanwhile asks again. */
async function offerFiles(chat: Chat, text: string): Promise<void> {
  const found = await chat.session.client.findFiles(text, offersShown).catch(() => null);
  if (found === null || wordAt(chat.draft)?.text !== text) return;
  showOffers(
    chat,
    found.paths.map((path) => ({ text: `@${path}`, about: "" })),
  );
  chat.paintSoon(0);
}

function showOffers(chat: Chat, offers: readonly Offer[]): void {
  chat.offerAt = Math.max(0, Math.min(chat.offerAt, offers.length - 1));
  chat.offered = offers.map(({ text }) => text);
  chat.offers = offers.map(({ text, about }, at): Row =>
    cutRow(
      [
        ...rowOf(`  ${inertLine(text, entryCharacters)}`, ...(at === chat.offerAt ? (["selected"] as const) : [])),
        ...rowOf(about === "" ? "" : `  ${about}`, "muted"),
      ],
      chat.columns,
    ),
  );
}

/** Puts in what is offered. */
export function complete(chat: Chat): void {
  const word = wordAt(chat.draft);
  const text = chat.offers.length === 0 ? undefined : chat.offered[chat.offerAt];
  if (word === null || text === undefined) return;
  const name = text.startsWith("@") && /\s/.test(text) ? `@"${text.slice(1)}"` : text;
  chat.offers = [];
  chat.offerAt = 0;
  chat.draft = replaceRange(chat.draft, word.range, `${name} `);
  chat.draftChanged();
  // A command may take a word of its own.
  offer(chat);
}

/** With Enter the command that is marked counts, where its name, or the word that it takes, is begun and not written out. */
export function slashOffered(chat: Chat): string | undefined {
  const word = wordAt(chat.draft);
  if (chat.offers.length === 0 || word?.sign !== "/") return undefined;
  return /\S$/.test(word.text) || chat.offerAt > 0 ? chat.offered[chat.offerAt] : undefined;
}
