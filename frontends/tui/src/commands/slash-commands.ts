/** A command that is typed with `/`. */
export interface SlashCommand {
  readonly name: string;
  /** What may follow, as help shows it; empty: nothing. */
  readonly takes: string;
  readonly about: string;
}

/** In the order of the list that `/` opens. */
export const slashCommands: readonly (SlashCommand & { readonly name: SlashName })[] = [
  { name: "help", takes: "", about: "keys and commands" },
  { name: "new", takes: "", about: "begin a new session; this one stays" },
  { name: "sessions", takes: "[words]", about: "open another session" },
  { name: "model", takes: "[name]", about: "choose the model" },
  { name: "provider", takes: "[name]", about: "choose a model among a provider's" },
  { name: "mode", takes: "[plan|default|accept-edits|auto]", about: "choose what may happen unasked" },
  { name: "persona", takes: "[names|none]", about: "choose ways of working: `capstan personas` lists them" },
  { name: "rewind", takes: "", about: "take turns back: conversation, files or both" },
  { name: "undo", takes: "", about: "take the last turn back, with its files" },
  { name: "redo", takes: "", about: "bring back what was taken back" },
  { name: "retry", takes: "", about: "send the last words again" },
  { name: "compact", takes: "", about: "summarise older messages" },
  { name: "proposals", takes: "", about: "changes that this session proposes: look, apply, refuse" },
  { name: "diff", takes: "", about: "what this session changed in files" },
  { name: "transcript", takes: "", about: "everything, whole; searched with /" },
  { name: "journal", takes: "[words]", about: "every record of this session" },
  { name: "context", takes: "[undo|redo|edit]", about: "what the model is shown, and its summaries" },
  { name: "cost", takes: "", about: "what this session used and cost" },
  { name: "tasks", takes: "", about: "the model's task list" },
  { name: "agents", takes: "", about: "the agents of this session: look, steer, stop" },
  { name: "queue", takes: "", about: "take back what waits to be sent" },
  { name: "inbox", takes: "", about: "what waits for you, in all sessions" },
  { name: "rename", takes: "TITLE", about: "name this session" },
  { name: "fork", takes: "", about: "continue in a copy of this session" },
  { name: "export", takes: "FILE", about: "write this session to a file" },
  { name: "delete", takes: "", about: "delete another session" },
  { name: "config", takes: "[words]", about: "every setting and where it was set" },
  { name: "settings", takes: "[words]", about: "look for a setting and change it: what it does, which layer set it" },
  { name: "problems", takes: "", about: "what language servers find wrong with the files that this session changed" },
  { name: "doctor", takes: "", about: "look the installation over" },
  { name: "grants", takes: "", about: "approvals that are remembered here" },
  { name: "remember", takes: "WORDS", about: "remember something beyond this session; # does the same" },
  { name: "facts", takes: "[words]", about: "what is remembered here" },
  { name: "skills", takes: "", about: "what models can read up on; Enter shows one to the model" },
  { name: "trust", takes: "", about: "what this folder brings along" },
  { name: "copy", takes: "", about: "copy the last answer" },
  { name: "resume", takes: "", about: "carry on with what an earlier process left open" },
  { name: "discard", takes: "", about: "end what an earlier process left open" },
  { name: "screen", takes: "", about: "full screen, and back" },
  { name: "vim", takes: "", about: "edit the draft with the keys of vim, and back" },
  { name: "quit", takes: "", about: "leave; the session stays" },
];

export type SlashName =
  | "help"
  | "new"
  | "sessions"
  | "model"
  | "provider"
  | "mode"
  | "persona"
  | "rewind"
  | "undo"
  | "redo"
  | "retry"
  | "compact"
  | "proposals"
  | "diff"
  | "transcript"
  | "journal"
  | "context"
  | "cost"
  | "tasks"
  | "agents"
  | "queue"
  | "inbox"
  | "rename"
  | "fork"
  | "export"
  | "delete"
  | "config"
  | "settings"
  | "problems"
  | "doctor"
  | "grants"
  | "remember"
  | "facts"
  | "skills"
  | "trust"
  | "copy"
  | "resume"
  | "discard"
  | "screen"
  | "vim"
  | "quit";

/** What people of other agents type. */
const aliases: Readonly<Record<string, SlashName>> = {
  clear: "new",
  exit: "quit",
  q: "quit",
  permissions: "grants",
  memory: "facts",
  usage: "cost",
  todos: "tasks",
  status: "context",
  load: "sessions",
  "?": "help",
};

export type ReadSlash =
  | { readonly type: "command"; readonly name: SlashName; readonly rest: string }
  /** No such command; `nearest`: the one that was probably meant. */
  | { readonly type: "unknown"; readonly word: string; readonly nearest: string | null };

/**
 * A draft that begins with `/` and a word; `null`: it is none, such as a path.
 * @param custom  names of commands that stand for a prompt
 */
export function readSlash(text: string, custom: readonly string[] = []): ReadSlash | null {
  const match = /^\/([a-z?][a-z-]*|\?)(?:\s+([^]*))?$/i.exec(text.trimEnd());
  if (match === null) return null;
  const [, word = "", rest = ""] = match;
  const lower = word.toLowerCase();
  const known = slashCommands.find(({ name }) => name === lower)?.name ?? aliases[lower];
  if (known !== undefined) return { type: "command", name: known, rest: rest.trim() };
  return { type: "unknown", word, nearest: nearestOf(lower, custom) };
}

/** The command of that name, those whose names begin with what was typed, and then those that hold it. */
export function slashesFor(typed: string): readonly SlashCommand[] {
  const lower = typed.toLowerCase();
  const rank = (name: string): number => (name === lower ? 0 : name.startsWith(lower) ? 1 : 2);
  return slashCommands
    .filter(({ name }) => name.includes(lower))
    .toSorted((one, other) => rank(one.name) - rank(other.name));
}

function nearestOf(word: string, custom: readonly string[]): string | null {
  const scored = [...slashCommands.map(({ name }): string => name), ...custom]
    .map((name) => ({ name, distance: distanceOf(word, name) }))
    .toSorted((one, other) => one.distance - other.distance);
  const [best] = scored;
  return best !== undefined && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.name : null;
}

/** Letters to change, add or take away. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of one.split("").entries()) {
    const next = [at + 1];
    for (const [index, target] of other.split("").entries()) {
      const swap = (row[index] ?? 0) + (letter === target ? 0 : 1);
      next.push(Math.min(swap, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
