import { type Draft, draftText } from "./draft.ts";
import { draftOfStored, storedDraft } from "./stored-draft.ts";

/** What was sent before, and where a user stands in it. */
export interface History {
  /** As they are stored, the oldest first; none twice. */
  readonly entries: readonly string[];
  /** What was sent before this process is among them. */
  readonly isWhole: boolean;
  /** `null`: not walked since something was sent. */
  readonly walk: Walk | null;
}

interface Walk {
  readonly at: number;
  /** What was left by walking further, as it was left: the unsent draft (behind the last entry) and entries that were changed. */
  readonly drafts: ReadonlyMap<number, Draft>;
}

const promptsKept = 100;
/** Entries that begin with `!`. */
const commandsKept = 50;
/** An entry that is larger is kept as it is shown, without what its labels stand for. UTF-16 units. */
const entryCharacters: number = 256 * 1024;

export const emptyHistory: History = { entries: [], isWhole: false, walk: null };

/** @param entries  as they were stored, the oldest first */
export function historyOf(entries: readonly string[], isWhole = true): History {
  return { entries: bounded(entries), isWhole, walk: null };
}

/** With what was sent before this process, the oldest first; who walks stays where they are. */
export function withEarlier({ entries, walk }: History, drafts: readonly Draft[]): History {
  const all = bounded([...drafts.flatMap((draft) => entryOf(draft) ?? []), ...entries]);
  const added = all.length - entries.length;
  if (walk === null) return { entries: all, isWhole: true, walk };
  const left = new Map([...walk.drafts].map(([at, draft]) => [at + added, draft]));
  return { entries: all, isWhole: true, walk: { at: walk.at + added, drafts: left } };
}

/** A draft that was sent becomes the newest entry, and the walk ends. */
export function addToHistory({ entries, isWhole }: History, draft: Draft): History {
  const entry = entryOf(draft);
  return entry === null ? { entries, isWhole, walk: null } : historyOf([...entries, entry], isWhole);
}

function entryOf(draft: Draft): string | null {
  const stored = storedDraft(draft);
  if (stored === null || draftText(draft).trim() === "") return null;
  return stored.length > entryCharacters ? draftText(draft) : stored;
}

export interface Walked {
  readonly history: History;
  readonly draft: Draft;
}

/** To the entry before or after; `null`: there is none. */
export function walkHistory(history: History, draft: Draft, by: "older" | "newer"): Walked | null {
  const { entries, walk, isWhole } = history;
  const from = walk?.at ?? entries.length;
  const at = from + (by === "older" ? -1 : 1);
  if (at < 0 || at > entries.length) return null;
  const drafts = new Map(walk?.drafts).set(from, draft);
  const next = drafts.get(at) ?? draftOfStored(entries[at] ?? "");
  return { history: { entries, isWhole, walk: { at, drafts } }, draft: next };
}

/** Entries that hold all of the words, however they are written; the newest first. */
export function searchHistory({ entries }: History, words: string): readonly string[] {
  const wanted = words
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const found = entries.filter((entry) => {
    const text = entryText(entry).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return found.toReversed();
}

/** An entry as it is shown. */
export function entryText(entry: string): string {
  return draftText(draftOfStored(entry));
}

/** Takes an entry that was found as the draft; what was not sent stays behind the newest entry. */
export function takeEntry(history: History, draft: Draft, entry: string): Walked {
  const { entries, walk, isWhole } = history;
  const at = entries.lastIndexOf(entry);
  const taken = draftOfStored(entry);
  if (at === -1) return { history, draft: taken };
  const from = walk?.at ?? entries.length;
  const drafts = new Map(walk?.drafts).set(from, draft);
  return { history: { entries, isWhole, walk: { at, drafts } }, draft: taken };
}

function bounded(entries: readonly string[]): readonly string[] {
  const last = new Map(entries.map((entry, at) => [entry, at]));
  let [prompts, commands] = [0, 0];
  const kept: string[] = [];
  for (let at = entries.length - 1; at >= 0; at -= 1) {
    const entry = entries[at] ?? "";
    if (last.get(entry) !== at) continue;
    const isCommand = entry.startsWith("!");
    if (isCommand) commands += 1;
    else prompts += 1;
    if (isCommand ? commands <= commandsKept : prompts <= promptsKept) kept.push(entry);
  }
  return kept.toReversed();
}
