/** What the seeds want of screens; what each test shows at length is promised by the fast tests of its part. */
import { expect, test } from "vitest";
import { count } from "../../inbox/use-inbox.ts";
import { leave, typed, useSeedStage } from "./use-seed-stage.ts";

const seeds = useSeedStage();
const { inbox } = seeds;
const { place } = inbox;
const allowed = ["--allow", "run_command(./count.sh)"];

test("F38 full screen and inline: by flag, by /screen while it runs, and nothing is lost on the way", async () => {
  const { terminal, stage } = await seeds.open(
    [{ text: "First answer." }, { text: "Second answer." }],
    ["--screen", "full"],
  );
  expect(terminal.text()).toContain("\u001b[?1049h");
  await typed(terminal, "one\r", /First answer\.[^]*— done/);
  await typed(terminal, "/screen\r", /First answer\.[^]*› \n/);
  await typed(terminal, "two\r", /Second answer\.[^]*— done/);
  await leave(terminal);
  expect((await terminal.screen()).join("\n")).toMatch(/First answer\.[^]*Second answer\./);
  const inline = await seeds.again(stage, ["-c"]);
  await inline.screenShows(/First answer\.[^]*Second answer\./);
  expect(inline.text()).not.toContain("\u001b[?1049h");
  await leave(inline);
});

test("F39 Markdown is painted as what it says, and an edit as the lines that change", async () => {
  place.write("a.txt", "one\ntwo\nthree\n");
  const edit = { name: "edit_file", arguments: { path: "a.txt", old_string: "two", new_string: "2" } };
  const read = { name: "read_file", arguments: { path: "a.txt" } };
  const text =
    "# Title\n\nSome **bold** words and `code`.\n\n- item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst x = 1;\n```\n";
  const { terminal } = await seeds.open([{ tool_calls: [read] }, { tool_calls: [edit] }, { text }]);
  await typed(terminal, "edit\r", /- two\n[^]*\+ 2\n[^]*a number answers/);
  await typed(terminal, "1", /Title\n[^]*Some bold words and code\.[^]*• item[^]*const x = 1;[^]*— done/);
  const screen = (await terminal.screen()).join("\n");
  for (const sign of ["**", "```", "|---|"]) expect(screen).not.toContain(sign);
  await leave(terminal);
  expect(place.read("a.txt")).toBe("one\n2\nthree\n");
});

test("F47 prompts and commands are had again by Up, files are named with @, and a draft is back after a kill", async () => {
  place.write("src/deep/needle.ts", "found\n");
  const { terminal, stage } = await seeds.open([{ text: "One." }, { text: "Two." }]);
  await typed(terminal, "the first prompt\r", /One\.[^]*— done/);
  await typed(terminal, "/mode plan\r", /plan ·/);
  await typed(terminal, "\u001b[A\u001b[A", /› the first prompt\n/);
  await typed(terminal, "\u0015look at @needl", /@src\/deep\/needle\.ts/);
  await typed(terminal, "\t", /› look at @src\/deep\/needle\.ts/);
  await typed(terminal, "\r", /Two\.[^]*— done/);
  expect(JSON.stringify(stage.exchanges[1]?.body)).toContain("found");
  await typed(terminal, "not sent yet", /› not sent yet\n/);
  // Another process sees it once it is stored.
  let shown = "";
  for (let looks = 0; looks < 20 && !shown.includes("not sent yet"); looks += 1) {
    const other = await seeds.again(stage, ["-c"]);
    shown = (await other.screen()).join("\n");
    other.hangUp();
    await other.ended;
  }
  terminal.kill();
  await terminal.ended;
  const back = await seeds.again(stage, ["-c"]);
  await back.screenShows(/› not sent yet\n/);
  back.type("\u0015");
  await leave(back);
});

test("F48 settings are looked at and changed on a screen, looked up and validated on the command line, and a session is exported", async () => {
  const { terminal } = await seeds.open([{ text: "One." }]);
  await typed(terminal, "hello\r", /One\.[^]*— done/);
  await typed(terminal, "/settings paste_lines\r", /tui\.paste_lines = 10/);
  await typed(terminal, "\r", /write a value/);
  await typed(terminal, "write a value\r", /value: 10/);
  await typed(terminal, "\u00157\r", /tui\.paste_lines: 10 → 7/);
  await typed(terminal, "\r", /Set tui\.paste_lines = 7/);
  await typed(terminal, "/export session.jsonl\r", /session\.jsonl/);
  await leave(terminal);
  expect((await place.run(["config", "show", "tui.paste_lines"])).stdout).toContain("7");
  expect((await place.run(["config", "explain", "tui.paste_lines"])).stdout).toContain("config.toml");
  expect((await place.run(["config", "validate"])).code).toBe(0);
  expect(place.read("session.jsonl")).toContain("hello");
});

test("D19 what is sent while tools run waits in line, in order, and is sent when they are done", async () => {
  const { terminal, stage } = await seeds.open(
    [{ tool_calls: [count] }, { text: "Counted." }, { text: "Two." }, { text: "Three." }],
    allowed,
  );
  inbox.writeScript("for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done");
  await typed(terminal, "count\r", /▸ \.\/count\.sh/);
  await typed(terminal, "second\r", /queued: second/);
  await typed(terminal, "third\r", /queued: [^]*third/);
  place.write("gate", "");
  await terminal.screenShows(/Counted\.[^]*› second\n[^]*Two\.[^]*› third\n[^]*Three\.[^]*— done/);
  expect(stage.exchanges).toHaveLength(4);
  await leave(terminal);
});

test("E34 the same words are asked in a chat and by a single line, and both are one session", async () => {
  const { terminal, stage } = await seeds.open([{ text: "In the chat." }, { text: "On the line." }]);
  await typed(terminal, "first\r", /In the chat\.[^]*— done/);
  await leave(terminal);
  const run = await stage.run(["--continue", "second"]);
  expect([run.code, run.stdout]).toEqual([0, "On the line.\n"]);
  const back = await seeds.again(stage, ["-c"]);
  await back.screenShows(/In the chat\.[^]*On the line\./);
  await leave(back);
});
