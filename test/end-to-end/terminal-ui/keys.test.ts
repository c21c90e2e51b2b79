import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { defaultKeys } from "@capstan/tui";
import { expect, test } from "vitest";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";
import { usePlace } from "../stage/place.ts";

const place = usePlace();
const root = join(import.meta.dirname, "..", "..", "..");

async function startWith(keys: string): Promise<TerminalRun> {
  const stage = await place.rehearse("anthropic", [{ text: "One." }]);
  mkdirSync(place.data, { recursive: true });
  writeFileSync(join(place.data, "config.toml"), `[keys]\n${keys}\n`, { mode: 0o600 });
  return startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], { rows: 30, env: stage.env });
}

test("[keys] gives an action other chords, help shows them, and the old ones do nothing, each time", async () => {
  const terminal = await startWith('transcript = ["ctrl+y"]\nkill-line-start = ["alt+x"]\nscreen = "f3"');
  await terminal.screenShows(/^› \n/m);
  for (const round of [1, 2]) {
    terminal.type(`words ${round}\u000f\u0015`);
    await terminal.screenShows(new RegExp(`^› words ${round}\\n`, "m"));
    terminal.type("\u001bx\u0019");
    await terminal.screenShows(/^Transcript/m);
    terminal.type("q");
    await terminal.screenShows(/^› \n/m);
  }
  terminal.type("?");
  await terminal.screenShows(/^Ctrl-Y +the whole transcript$/m);
  terminal.type("q");
  terminal.type("\u001b[13~");
  await terminal.shows(/\[\?1049h/);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});

test.each([
  ['steer = ["ctrl+k"]\ntasks = ["ctrl+k"]', /keys\.steer and keys\.tasks both have ctrl\+k/],
  ['stear = ["ctrl+k"]', /unknown option "?stear"?[^]*steer/],
  ['steer = ["ctrl+entr"]', /keys\.steer: "ctrl\+entr" names no key/],
])("%j is an error with its remedy, and the terminal is left alone", async (keys, message) => {
  const terminal = await startWith(keys);
  expect(await terminal.ended).toBe(2);
  await terminal.screenShows(message);
});

test("the configuration, the documents and the terminal UI know the same actions", () => {
  const names = Object.keys(defaultKeys);
  const reference = readFileSync(join(root, "docs", "reference", "config.md"), "utf8");
  expect(/^\| `keys` \| a table with any of ([^|]+) \|/m.exec(reference)?.[1]?.split(", ")).toEqual(names);
  const page = readFileSync(join(root, "docs", "terminal.md"), "utf8");
  const listed = /The actions: ([^.]+)\./.exec(page)?.[1] ?? "";
  expect([...listed.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name)).toEqual(names);
});
