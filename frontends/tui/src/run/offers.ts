import { cutRow, inertLine, type Row, rowOf } from "@capstan/view";
import { type Draft, insertText, labelOf, removeBetween } from "../draft/draft.ts";
import { slashesFor } from "../ui/slash-commands.ts";
import type { Tui } from "./tui.ts";

const offersShown = 8;
const entryCharacters = 200;

/** The word that is being written, where something can complete it. */
function wordAt({ lines, caret }: Draft): { readonly from: number; readonly text: string } | null {
  const line = lines[caret.line] ?? [];
  let from = caret.at;
  while (from > 0 && line[from - 1] !== " " && typeof line[from - 1] === "string") from -= 1;
  const text = line.slice(from, caret.at).map(labelOf).join("");
  if (text.startsWith("@")) return { from, text };
  return text.startsWith("/") && caret.line === 0 && from === 0 && lines.length === 1 ? { from, text } : null;
}

/** Shows what the word under the caret may become. */
export function offer(tui: Tui): void {
  const word = wordAt(tui.draft);
  if (word === null || tui.offersAreClosed) {
    if (word === null) tui.offersAreClosed = false;
    tui.offers = [];
    tui.offerAt = 0;
    return;
  }
  if (word.text.startsWith("/")) {
    const slashes = slashesFor(word.text.slice(1)).slice(0, offersShown);
    return showOffers(
      tui,
      slashes.map(({ name, takes, about }) => ({
        text: `/${name}`,
        about: `${takes === "" ? "" : `${takes}  `}${about}`,
      })),
    );
  }
  void offerFiles(tui, word.text);
}

/** Files whose paths have the letters; what was typed meanwhile asks again. */
async function offerFiles(tui: Tui, text: string): Promise<void> {
  const found = await tui.session.client.findFiles(text.slice(1), offersShown).catch(() => null);
  if (found === null || wordAt(tui.draft)?.text !== text) return;
  showOffers(
    tui,
    found.paths.map((path) => ({ text: `@${path}`, about: "" })),
  );
  tui.paintSoon(0);
}

function showOffers(tui: Tui, offers: readonly { readonly text: string; readonly about: string }[]): void {
  tui.offerAt = Math.max(0, Math.min(tui.offerAt, offers.length - 1));
  tui.offered = offers.map(({ text }) => text);
  tui.offers = offers.map(({ text, about }, at): Row =>
    cutRow(
      [
        ...rowOf(`  ${inertLine(text, entryCharacters)}`, ...(at === tui.offerAt ? (["selected"] as const) : [])),
        ...rowOf(about === "" ? "" : `  ${about}`, "muted"),
      ],
      tui.columns,
    ),
  );
}

/** Puts in what is offered. */
export function complete(tui: Tui): void {
  const word = wordAt(tui.draft);
  const text = tui.offers.length === 0 ? undefined : tui.offered[tui.offerAt];
  if (word === null || text === undefined) return;
  const { caret } = tui.draft;
  const without = removeBetween(tui.draft, { line: caret.line, at: word.from }, caret);
  const name = text.startsWith("@") && /\s/.test(text) ? `@"${text.slice(1)}"` : text;
  tui.offers = [];
  tui.offerAt = 0;
  tui.draft = insertText(without, `${name} `);
  tui.draftChanged();
}

/** With Enter the command that is marked counts, where its name is not written out. */
export function slashOffered(tui: Tui): string | undefined {
  const word = wordAt(tui.draft);
  if (tui.offers.length === 0 || word?.text.startsWith("/") !== true) return undefined;
  return word.text.length > 1 || tui.offerAt > 0 ? tui.offered[tui.offerAt] : undefined;
}
