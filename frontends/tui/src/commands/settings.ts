import { inertLine, type Row, wrapRow } from "@capstan/view";
import type { Chat } from "../run/chat.ts";

const lineCharacters = 500;

/** Every setting with its value and who set it, to be searched; the one that is chosen is explained. */
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
  const rows = chat.surroundings.explainSetting(key).flatMap((line): readonly Row[] => {
    const indentation = /^ */.exec(line)?.[0] ?? "";
    const text = inertLine(line.trimStart(), lineCharacters);
    return wrapRow([{ text, roles: [] }], Math.max(8, chat.columns - indentation.length)).map((row) => [
      { text: indentation, roles: [] },
      ...row,
    ]);
  });
  chat.overlays.show(`${key}; it is changed in config.toml or with --set`, rows);
}
