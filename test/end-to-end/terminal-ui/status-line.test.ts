import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";
import { usePlace } from "../stage/place.ts";

const place = usePlace();

async function start(sets: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<TerminalRun> {
  const stage = await place.rehearse("anthropic", [{ text: "One." }, { text: "Two." }]);
  const args = ["tui", "-m", "anthropic/rehearsal", ...sets.flatMap((set) => ["--set", set])];
  return startOnTerminal(place, args, { rows: 20, env: { ...stage.env, ...env } });
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

test("the status line says the items that are named, in their order, and a name that is none is refused", async () => {
  const terminal = await start(['tui.status=["folder", "mode", "model"]']);
  await terminal.screenShows(/^work · default · anthropic\/rehearsal$/m);
  terminal.type("/mode plan\r");
  await terminal.screenShows(/^work · plan · anthropic\/rehearsal$/m);
  await leave(terminal);
  const wrong = await start(['tui.status=["modell"]']);
  expect(await wrong.ended).toBe(2);
  expect(wrong.text()).toMatch(/tui\.status: there is no "modell"\. It takes model, mode,/);
});

slowTest(
  "a command of the user's own writes the status line from the session's data, again when it changes; one that hangs costs nothing",
  async () => {
    const script = join(place.folder, "status.sh");
    const read = "const j = JSON.parse(require('fs').readFileSync(0, 'utf8'));";
    const say =
      "console.log(`\\x1b[31m${j.model.display_name}|${j.mode}|${j.workspace.current_dir.split('/').pop()}|${j.context_window.total_output_tokens > 0}`)";
    writeFileSync(
      script,
      `#!/bin/sh\nexec "${process.execPath}" -e "${(read + say).replaceAll("$", "\\$").replaceAll("`", "\\`")}"\n`,
    );
    chmodSync(script, 0o755);
    const terminal = await start([`tui.status_command=${script}`]);
    await terminal.screenShows(/^anthropic\/rehearsal\|default\|work\|false$/m);
    terminal.type("hello\r");
    await terminal.screenShows(/^anthropic\/rehearsal\|default\|work\|true$/m);
    terminal.type("/mode plan\r");
    await terminal.screenShows(/^anthropic\/rehearsal\|plan\|work\|true$/m);
    await leave(terminal);
    const slow = await start(["tui.status_command=sleep 600"]);
    await slow.screenShows(/^anthropic\/rehearsal · default/m);
    slow.type("hello\r");
    await slow.screenShows(/One\.[^]*— done/);
    expect((await slow.screen()).at(-1)).toMatch(/^anthropic\/rehearsal · default/);
    await leave(slow);
  },
);

slowTest.each([
  ["TERM is dumb", { term: "dumb" }, /TERM is dumb[^]*Try: capstan run "…"/],
  ["CI is set", { ci: "true" }, /and CI is set[^]*Try: capstan run "…"/],
])(
  "where %s, the terminal UI refuses and names `run`",
  async (_what, { term, ci }: { term?: string; ci?: string }, words) => {
    const terminal = startOnTerminal(place, ["tui"], {
      env: ci === undefined ? {} : { CI: ci },
      ...(term === undefined ? {} : { term }),
    });
    expect(await terminal.ended).toBe(2);
    expect(terminal.text()).toMatch(words);
    expect(terminal.text()).not.toContain("\u001b[?2004h");
  },
);
