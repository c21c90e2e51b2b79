import { messageOf } from "@capstan/protocol";
import { inertLine, type Row, wrapRow } from "@capstan/view";
import { vimAtStart } from "../draft/vim/vim.ts";
import type { Chat } from "../run/chat.ts";
import type { ExplainedSetting } from "../run/tui-options.ts";

const lineCharacters = 500;
/** What stands for nothing, or for a secret, is not there to be edited. */
const notEdited: ReadonlySet<string> = new Set(["null", "***"]);

/** Every setting with its value and who set it, to be searched; the one that is chosen is explained and can be changed. */
export async function chooseSetting(chat: Chat, rest: string): Promise<void> {
  const wanted = rest.toLowerCase();
  const entries = (await chat.engine.config()).filter(({ key }) => key.includes(wanted));
  if (entries.length === 0) return chat.say(`No setting has ${inertLine(rest, lineCharacters)} in its name.`);
  const key = await chat.overlays.pick(
    "Settings",
    entries.map((entry) => ({
      value: entry.key,
      label: `${entry.key} = ${inertLine(JSON.stringify(entry.value), lineCharacters)}`,
      about: inertLine(
        entry.locked === undefined ? entry.origin : `${entry.origin}, locked: ${entry.locked}`,
        lineCharacters,
      ),
    })),
  );
  if (key === null) return;
  const running = entries.find((entry) => entry.key === key);
  const explained = chat.surroundings.settings.explain(key);
  const action = await chat.overlays.pick(key, actionsFor(explained));
  if (action === null) return;
  const now = running === undefined ? [] : [`runs now: ${JSON.stringify(running.value)} (${running.origin})`];
  if (action.type === "explain") return showLines(chat, key, [...explained.lines, ...now]);
  const text = action.type === "write" ? await written(chat, key, explained) : action.text;
  if (text !== undefined) await change(chat, key, text);
}

type Action =
  | { readonly type: "explain" }
  | { readonly type: "write" }
  /** `null`: it is taken out of the user's file. */
  | { readonly type: "set"; readonly text: string | null };

interface Offered {
  readonly value: Action;
  readonly label: string;
  readonly about: string;
}

function actionsFor({ lines, choices, value, accepts, isOwn }: ExplainedSetting): readonly Offered[] {
  const about = inertLine(lines[1]?.trim() ?? "", lineCharacters);
  const ways = choices.map((text): Offered => ({
    value: { type: "set", text },
    label: text,
    about: text === value ? "now" : "",
  }));
  const write: Offered = { value: { type: "write" }, label: "write a value", about: accepts };
  return [
    { value: { type: "explain" }, label: "what it does, and which layer set it", about },
    ...(ways.length === 0 ? [write] : ways),
    ...(isOwn
      ? [
          {
            value: { type: "set" as const, text: null },
            label: "take it out of config.toml",
            about: "what is below counts",
          },
        ]
      : []),
  ];
}

/** `undefined`: the user thought better of it. */
async function written(chat: Chat, key: string, { accepts, value }: ExplainedSetting): Promise<string | undefined> {
  const about = [`It accepts ${accepts}.`];
  return (await chat.overlays.write(key, about, notEdited.has(value) ? "" : value)) ?? undefined;
}

/** Shown before it is written; a value that does not fit is corrected in its line. */
async function change(chat: Chat, key: string, text: string | null): Promise<void> {
  const { settings } = chat.surroundings;
  const checked = await settings.change(key, text).catch((error: unknown) => ({ problem: messageOf(error) }));
  if ("problem" in checked) {
    if (text === null) return chat.say(checked.problem);
    const corrected = await chat.overlays.write(key, [inertLine(checked.problem, lineCharacters)], text);
    return corrected === null ? undefined : await change(chat, key, corrected);
  }
  const isSure = await chat.overlays.pick(checked.lines.map((line) => inertLine(line, lineCharacters)).join(" · "), [
    { value: true, label: "write it", about: "sessions that begin from now on have it" },
    { value: false, label: "leave it as it is", about: "" },
  ]);
  if (isSure !== true) return chat.say("Nothing was written.");
  const done = await checked.write();
  if (key === "tui.vim") chat.vim = settings.explain(key).value === "true" ? vimAtStart : null;
  chat.say(done.join(" "));
}

function showLines(chat: Chat, title: string, lines: readonly string[]): void {
  const rows = lines.flatMap((line): readonly Row[] => {
    const indentation = /^ */.exec(line)?.[0] ?? "";
    const text = inertLine(line.trimStart(), lineCharacters);
    return wrapRow([{ text, roles: [] }], Math.max(8, chat.columns - indentation.length)).map((row) => [
      { text: indentation, roles: [] },
      ...row,
    ]);
  });
  chat.overlays.show(title, rows);
}
