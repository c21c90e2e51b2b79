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
