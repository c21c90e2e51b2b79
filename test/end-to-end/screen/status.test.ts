import { readFileSync } from "node:fs";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { besideShell, killBinary } from "../stage/beside-shell.ts";
import { startOnTerminal, type TerminalOptions, type TerminalRun } from "../stage/terminal.ts";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";

const inbox = useInbox();
const { place } = inbox;

const hostile = String.raw`\033[2J\033[31mred\033[0m\033]0;title\007 漢字\n`;
/** Within half a minute, so that none is left over by a test that fails. */
const untilOpen = "for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done; rm -f gate";
const allowed = ["--allow", "run_command(./count.sh)"];
const ask = { name: "ask_user", arguments: { questions: [{ question: "Which?" }] } };

/** A command that prints, and ends when the gate is there. */
async function start(
  turns: readonly object[],
  options: Partial<TerminalOptions> & { readonly args?: readonly string[] } = {},
): Promise<TerminalRun> {
  const stage = await inbox.rehearse(turns);
  inbox.writeScript(`printf 'one\\ntwo\\nthree\\n${hostile}'; ${untilOpen}`);
  const args = ["run", "-m", "anthropic/rehearsal", ...asking, ...allowed, ...(options.args ?? []), "go"];
  return startOnTerminal(place, args, { ...options, env: { ...stage.env, ...options.env } });
}

function letEnd(): void {
  place.write("gate", "");
}

const line = "▸ ./count.sh · N s · anthropic/rehearsal · default · no sandbox";

async function screen(terminal: TerminalRun): Promise<readonly string[]> {
  return (await terminal.screen()).map((text) => text.replace(/ \d+ (?:m?s)\b/, " N s"));
}

test("while a command runs, it is shown with its last three lines, model, mode and sandbox; at the end nothing of that is left, the second time too", async () => {
  for (const more of [[], ["-c"]]) {
    const terminal = await start([{ tool_calls: [count] }, { text: "counted" }], { args: more });
    await terminal.shows(/│ red 漢字[^]*count\.sh · [^]*no sandbox/);
    expect((await screen(terminal)).slice(-4)).toEqual(["  │ two", "  │ three", "  │ red 漢字", line]);
    letEnd();
    expect(await terminal.ended).toBe(0);
    const left = (await screen(terminal)).join("\n");
    expect(left).toMatch(/▸ \.\/count\.sh\n {2}✓ \.\/count\.sh[^]*counted\ndone · 2 model calls/);
    expect(left).not.toMatch(/│|waiting for|anthropic\/rehearsal ·/);
  }
});

slowTest("in a window of 20 columns, and after it was made as narrow, no row is torn and none is left", async () => {
  for (const columns of [20, 90]) {
    const terminal = await start([{ tool_calls: [count] }, { text: "counted" }], { columns, env: { NO_COLOR: "1" } });
    await terminal.shows(/│ red 漢字[^]*count.*· \d+ s/);
    if (columns !== 20) terminal.resize(20, 30);
    await terminal.shows(/│ red 漢字\r\n▸ \.\/count\.sh · \d+ s\r\n/);
    expect((await screen(terminal)).slice(-4)).toEqual(["  │ two", "  │ three", "  │ red 漢字", "▸ ./count.sh · N s"]);
    expect(terminal.text()).not.toContain("\u001b[2m");
    letEnd();
    expect(await terminal.ended).toBe(0);
    expect((await screen(terminal)).join("\n")).not.toMatch(/│|waiting for|count\.sh · N s$/m);
  }
});

slowTest("on a terminal that takes nothing back, and beside a pipe, nothing of it is written", async () => {
  const ways: readonly Partial<TerminalOptions>[] = [
    { term: "dumb" },
    { script: '"$@" | cat' },
    { script: '"$@" 2> errors; cat errors >&2' },
  ];
  for (const way of ways) {
    const terminal = await start([{ tool_calls: [count] }, { text: "counted" }], way);
    letEnd();
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("counted");
    // oxlint-disable-next-line no-control-regex -- what takes lines back is what this is about
    expect(terminal.text()).not.toMatch(/\u001b\[(?:\d*A|J|\?7)|waiting for/);
  }
});

slowTest(
  "a question takes its place while the command beside it runs, keys stand there once, and it comes back",
  async () => {
    const terminal = await start([{ tool_calls: [ask] }, { tool_calls: [count] }, { text: "counted" }]);
    await terminal.shows(/Which\?[^]*deny> /);
    const before = terminal.text().length;
    terminal.type("this one");
    await terminal.shows(/this one/);
    expect(terminal.text().slice(before)).not.toContain("\u001b[?7l");
    terminal.type("\r");
    await terminal.shows(/│ red 漢字[^]*count\.sh · /);
    const shown = await screen(terminal);
    expect(shown.filter((text) => text.includes("this one"))).toEqual(["1. answer, or /deny> this one"]);
    letEnd();
    expect(await terminal.ended).toBe(0);
  },
);

slowTest(
  "killed in the middle, it leaves the terminal as it was, with the cursor at the beginning of a row",
  async () => {
    const script = 'stty -a > before; echo $$ > shell; "$@"; stty -a > after; echo next; read line';
    const terminal = await start([{ tool_calls: [count] }, { text: "counted" }], { script });
    await terminal.shows(/│ red 漢字[^]*count\.sh · [^]*no sandbox/);
    const shell = place.read("shell").trim();
    const [pid] = readFileSync(`/proc/${shell}/task/${shell}/children`, "utf8").trim().split(" ");
    process.kill(Number(pid), "SIGKILL");
    // The shell stays until its last words are read.
    await terminal.screenShows(/next$/);
    expect((await screen(terminal)).at(-1)).toBe("next");
    terminal.type("\r");
    expect(await terminal.ended).toBe(0);
    expect(place.read("after")).toBe(place.read("before"));
  },
);

slowTest(
  "who watches a session that another process runs sees what runs until it ends, and nothing of it once that process is killed",
  async () => {
    for (const isKilled of [false, true]) {
      const id = `watched-${String(isKilled)}`;
      const running = await start([{ tool_calls: [count] }, { text: "counted" }], { args: ["--session-id", id] });
      await running.shows(/│ red 漢字/);
      const watching = startOnTerminal(place, ["sessions", "attach", id, "--role", "watch"], { env: {} });
      await watching.screenShows(
        /│ red 漢字\n▸ \.\/count\.sh · \d+ m?s · anthropic\/rehearsal · default · no sandbox$/,
      );
      if (isKilled) running.kill();
      else letEnd();
      await running.ended;
      await watching.screenShows(isKilled ? /read from the store: [^]*waits: capstan resume/ : /counted[^]*— done/);
      expect((await watching.screen()).join("\n")).not.toMatch(/│|anthropic\/rehearsal ·/);
      watching.type("\u0003");
      expect(await watching.ended).toBe(0);
    }
  },
);

test("who writes to a session that another process runs sees what runs while they type nothing; a half-typed line, also of two rows, stands whole below what happens", async () => {
  const turns = [{ tool_calls: [count] }, { text: "counted, and more" }];
  const running = await start(turns, { args: ["--session-id", "shared"] });
  await running.shows(/│ red 漢字/);
  const typing = startOnTerminal(place, ["sessions", "attach", "shared", "--steer"], {
    env: {},
    script: besideShell,
    columns: 70,
  });
  const status = /│ red 漢字\n▸ \.\/count\.sh · \d+ m?s · anthropic\/rehearsal · default · no sandbox$/;
  await typing.screenShows(status);
  for (const _ of ["first", "second"]) {
    typing.type("an");
    await typing.screenShows(/▸ \.\/count\.sh\n(?:.*\n)*an$/);
    expect((await typing.screen()).join("\n")).not.toMatch(/│/);
    typing.type("\u007f\u007f");
    await typing.screenShows(status);
  }
  typing.type("now say more\r");
  await typing.screenShows(/^now say more\n[^]*│ red/m);
  const words = "half a line, and so many words behind it that they need another row of the screen";
  typing.type(words);
  typing.type("\u001b[D".repeat(words.length - 20));
  await typing.screenShows(/another row of\s+the screen$/);
  letEnd();
  await typing.screenShows(/counted, and more[^]*— done[^]*\nhalf a line, .*\n.*screen$/);
  expect(await running.ended).toBe(0);
  expect((await typing.screen()).filter((text) => /half a line|screen$/.test(text))).toHaveLength(2);
  expect((await typing.screen()).filter((text) => text.includes("now say more"))).toEqual([
    "now say more",
    "> now say more",
  ]);
  typing.type("\u0003");
  await typing.screenShows(/SHELL IS BACK/);
  expect(place.read("after")).toBe(place.read("before"));
});

slowTest(
  "who is attached gets the terminal back as it was, once they end their input, and when their process is killed",
  async () => {
    const running = await start([{ tool_calls: [count] }, { text: "counted" }], { args: ["--session-id", "left"] });
    await running.shows(/│ red 漢字/);
    for (const [role, leave] of [
      ["operate", (typing: TerminalRun) => typing.type("\u0004")],
      ["operate", () => killBinary(place)],
      ["watch", () => killBinary(place)],
    ] as const) {
      const args = ["sessions", "attach", "left", "--role", role];
      const attached = startOnTerminal(place, args, { env: {}, script: besideShell });
      await attached.screenShows(/│ red 漢字\n▸ \.\/count\.sh ·.*$/);
      if (role === "watch") attached.type("no words\r\r");
      leave(attached);
      await attached.screenShows(/SHELL IS BACK/);
      expect((await attached.screen()).join("\n")).not.toContain("no words");
      expect(place.read("after")).toBe(place.read("before"));
    }
    letEnd();
    expect(await running.ended).toBe(0);
  },
);
