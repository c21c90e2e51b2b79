import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const place = usePlace();

/** More than a resumed session shows at once. */
const looks = Array.from({ length: 120 }, (_, at) => ({ name: "read_file", arguments: { path: `seen-${at}.txt` } }));

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

test("turns that another process had, and that the screen does not show, can be returned to and said once more", async () => {
  for (const { arguments: named } of looks) place.write(named.path, "seen\n");
  const { env } = await place.rehearse("anthropic", [
    { text: "One." },
    { tool_calls: looks.slice(0, 60) },
    { text: "Two." },
    { tool_calls: looks.slice(60) },
    { text: "Three." },
    { text: "Once more." },
  ]);
  for (const [at, words] of ["the first words", "the second words", "the third words"].entries()) {
    const run = await place.run(["run", "-m", "anthropic/rehearsal", ...(at === 0 ? [] : ["-c"]), words], { env });
    expect(run.stderr).not.toContain("error");
    expect(run.code).toBe(0);
  }
  const terminal = startOnTerminal(place, ["tui", "-c"], { rows: 30, env });
  await terminal.screenShows(/what was said before is in the transcript[^]*Three\.[^]*› \n/);
  expect((await terminal.screen()).join("\n")).not.toContain("the first words");
  terminal.type("/journal turn-started\r");
  await terminal.screenShows(
    /^Journal: 3 records\n[^]*\d\d:\d\d:\d\d turn-started\s+\{[^]*the\s+first\s+words[^]*the\s+third\s+words/m,
  );
  terminal.type("q");
  await terminal.screenShows(/Three\.[^]*› \n/);
  terminal.type("/journal no such words\r");
  await terminal.screenShows(/No record has no such words/);
  terminal.type("/retry\r");
  await terminal.screenShows(/› the third words\n[^]*Once more\.\n— done/);
  terminal.type("/rewind\r");
  await terminal.screenShows(/before turn 4: the third words[^]*before turn 1: the first words/);
  terminal.type("first\r");
  await terminal.screenShows(/conversation only/);
  terminal.type("\r");
  await terminal.screenShows(/The conversation returns[^]*› the first words\n/);
  terminal.type("\u0015");
  await leave(terminal);
});

test("before turns are taken back it is shown what would happen to each file, and which somebody changed since; that one is left alone", async () => {
  const calls = ["mine.txt", "other.txt"].map((path) => ({
    name: "write_file",
    arguments: { path, content: "ours\n" },
  }));
  const { env } = await place.rehearse("anthropic", [{ tool_calls: calls }, { text: "Written." }]);
  const args = ["-m", "anthropic/rehearsal", "--permission-mode", "accept-edits"];
  expect((await place.run(["run", ...args, "write"], { env })).code).toBe(0);
  place.write("mine.txt", "changed by hand\n");
  const terminal = startOnTerminal(place, ["tui", "-c"], { columns: 60, rows: 30, env });
  await terminal.screenShows(/Written\.[^]*› \n/);
  terminal.type("/rewind\r");
  await terminal.screenShows(/before turn 1: write/);
  terminal.type("\r");
  await terminal.screenShows(
    /conflict mine\.txt: somebody changed it since\n {2}removes other\.txt\n› conversation and files {2}1 file, 1 in conflict/,
  );
  terminal.type("\u001b");
  await terminal.screenShows(/› \n/);
  expect(place.has("other.txt")).toBe(true);
  // Looked at again, it is seen as it is then.
  place.write("mine.txt", "ours\n");
  place.write("other.txt", "changed by hand, too\n");
  terminal.type("/rewind\r");
  await terminal.screenShows(/before turn 1: write/);
  terminal.type("\r");
  await terminal.screenShows(/conflict other\.txt: somebody changed it since\n {2}removes mine\.txt/);
  terminal.type("\r");
  await terminal.screenShows(/removed mine\.txt\n {2}left alone other\.txt: somebody changed it since\n[^]*› write\n/);
  expect([place.has("mine.txt"), place.read("other.txt")]).toEqual([false, "changed by hand, too\n"]);
  terminal.type("\u0015");
  await leave(terminal);
});
