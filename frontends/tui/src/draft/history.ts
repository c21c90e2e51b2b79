/** What was sent before, the newest last; walked through without losing what is being written. */
export interface History {
  readonly entries: readonly string[];
  /** The entry that is shown; `null`: the draft itself. */
  readonly at: number | null;
  /** The draft as it was before the walk began. */
  readonly unsent: string;
}

const promptsKept = 100;
const commandsKept = 50;

export const emptyHistory: History = { entries: [], at: null, unsent: "" };

/** With one more; the same again moves to the end. Commands (`!`) have a room of their own. */
export function withEntry({ entries }: History, text: string): History {
  if (text.trim() === "") return { ...emptyHistory, entries };
  const others = [...entries.filter((entry) => entry !== text), text];
  const kept = new Set([
    ...others.filter((entry) => !isCommand(entry)).slice(-promptsKept),
    ...others.filter(isCommand).slice(-commandsKept),
  ]);
  return { ...emptyHistory, entries: others.filter((entry) => kept.has(entry)) };
}

/** The entry before or after, with its text; `null`: there is none that way. */
export function walked(
  history: History,
  by: -1 | 1,
  draft: string,
): { readonly history: History; readonly text: string } | null {
  const { entries, at, unsent } = history;
  if (at === null) {
    const last = entries.at(-1);
    if (by === 1 || last === undefined) return null;
    return { history: { entries, at: entries.length - 1, unsent: draft }, text: last };
  }
  const next = at + by;
  if (next < 0) return null;
  const entry = entries[next];
  if (entry === undefined) return { history: { entries, at: null, unsent: "" }, text: unsent };
  return { history: { entries, at: next, unsent }, text: entry };
}

function isCommand(entry: string): boolean {
  return entry.startsWith("!");
}
