/** Ten stories, each on a bare pseudo-terminal and in tmux. What they promise is owned by the fast tests beside this one. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import type { Stage } from "../stage/place.ts";
import { startOnTerminal } from "../stage/terminal.ts";
import { startInTmux, type StoryTerminal } from "../stage/tmux.ts";

const inbox = useInbox();
const { place } = inbox;
const write = { name: "write_file", arguments: { path: "a.txt", content: "hello\nworld\n" } };
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

type Env = Readonly<Record<string, string>>;

const terminals = {
  "a pseudo-terminal": (args: readonly string[], env: Env): StoryTerminal => {
    const terminal = startOnTerminal(place, args, { rows: 40, env });
    return {
      screenShows: (pattern) => terminal.screenShows(pattern),
      type: (text) => terminal.type(text),
      screen: () => terminal.screen(),
      paste: (text) => terminal.type(`\u001b[200~${text}\u001b[201~`),
      left: async () => expect(await terminal.ended).toBe(0),
    };
  },
  tmux: (args: readonly string[], env: Env): StoryTerminal => startInTmux(place, args, { env }),
};

async function leave(terminal: StoryTerminal): Promise<void> {
  terminal.type("\u0004");
  await terminal.left();
}

function planned(text: string): object {
  return { tool_calls: [{ name: "exit_plan_mode", arguments: { plan: text } }] };
}

describe.each(Object.entries(terminals))("on %s", (_name, start) => {
  const model = ["-m", "anthropic/rehearsal"];

  async function open(
    turns: readonly object[],
    args: readonly string[] = [],
    env: Env = {},
  ): Promise<{ terminal: StoryTerminal; stage: Stage }> {
    const stage = await inbox.rehearse(turns);
    const terminal = start(["tui", ...model, ...asking, ...args], { ...stage.env, ...env });
    await terminal.screenShows(/^› /m);
    return { terminal, stage };
  }

  test("a first task is approved by a digit", async () => {
    const { terminal } = await open([{ text: "I will write it.", tool_calls: [write] }, { text: "All done." }]);
    terminal.type("make a file\r");
    await terminal.screenShows(/▌ Create a\.txt[^]*a number answers/);
    terminal.type("1");
    await terminal.screenShows(/✓ Create a\.txt[^]*All done\.[^]*— done/);
    expect(place.read("a.txt")).toBe("hello\nworld\n");
    await leave(terminal);
  });

  test("a call is changed in the user's editor, and runs as it was changed", async () => {
    place.write("editor.sh", 'sed -i "s/hello/changed/" "$1"\n');
    const env = { EDITOR: `sh ${join(place.workspace, "editor.sh")}` };
    const { terminal } = await open([{ tool_calls: [write] }, { text: "All done." }], [], env);
    terminal.type("make a file\r");
    await terminal.screenShows(/▌ Create a\.txt[^]*a number answers/);
    terminal.type("4");
    await terminal.screenShows(/▌ Create a\.txt[^]*\+ changed[^]*a number answers/);
    terminal.type("1");
    await terminal.screenShows(/✓ Create a\.txt[^]*All done\.[^]*— done/);
    expect(place.read("a.txt")).toBe("changed\nworld\n");
    await leave(terminal);
  });

  test("a call is denied with words, which the model reads", async () => {
    const { terminal, stage } = await open([{ tool_calls: [write] }, { text: "As you say." }]);
    terminal.type("make a file\r");
    await terminal.screenShows(/a number answers/);
    terminal.type("5");
    await terminal.screenShows(/Why not/);
    terminal.type("not this file\r");
    await terminal.screenShows(/As you say\.[^]*— tool-denied/);
    expect(JSON.stringify(stage.exchanges[1])).toContain("not this file");
    expect(place.has("a.txt")).toBe(false);
    await leave(terminal);
  });

  test("a plan is sent back with words, and the next one is carried out", async () => {
    const { terminal, stage } = await open(
      [planned("1. write it"), planned("1. write it with care"), { text: "Carried out." }],
      ["--permission-mode", "plan"],
    );
    terminal.type("plan it\r");
    await terminal.screenShows(/A plan is ready for review[^]*a number answers/);
    terminal.type("3");
    await terminal.screenShows(/What to change/);
    terminal.type("with care\r");
    await terminal.screenShows(/write it with care[^]*a number answers/);
    terminal.type("1");
    await terminal.screenShows(/Carried out\.[^]*— done/);
    expect(JSON.stringify(stage.exchanges[1])).toContain("with care");
    await leave(terminal);
  });

  test("a question is answered by the number of an option", async () => {
    const questions = [{ question: "Which colour?", options: [{ label: "red" }, { label: "green" }] }];
    const { terminal, stage } = await open([
      { tool_calls: [{ name: "ask_user", arguments: { questions } }] },
      { text: "Green it is." },
    ]);
    terminal.type("paint it\r");
    await terminal.screenShows(/Which colour\?[^]*2 green[^]*a number answers/);
    terminal.type("2");
    await terminal.screenShows(/Green it is\.[^]*— done/);
    expect(JSON.stringify(stage.exchanges[1])).toContain("green");
    await leave(terminal);
  });

  test("after a kill the session is carried on with, and what was running runs once", async () => {
    inbox.writeScript("echo run >> runs.log");
    const stage = await place.rehearse("anthropic", [{ tool_calls: [count] }, { text: "Counted." }]);
    inbox.writeScript("for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done; echo run >> runs.log");
    const args = ["tui", ...asking, "--allow", "run_command(./count.sh)"];
    const killed = startOnTerminal(place, [...args, ...model], { rows: 40, env: stage.env });
    await killed.screenShows(/^› /m);
    killed.type("count\r");
    await killed.screenShows(/▸ \.\/count\.sh/);
    killed.kill();
    await killed.ended;
    place.write("gate", "");
    const terminal = start([...args, "-c"], stage.env);
    await terminal.screenShows(/An earlier process ended in the middle of this[^]*a number answers/);
    terminal.type("r");
    await terminal.screenShows(/1 run again[^]*a number answers/);
    terminal.type("1");
    await terminal.screenShows(/Counted\.[^]*— done/);
    expect(inbox.runs).toBe(1);
    await leave(terminal);
  });

  test("a turn is taken back, and a file that somebody changed since is left alone and named", async () => {
    const { terminal } = await open([{ tool_calls: [write] }, { text: "All done." }]);
    terminal.type("make a file\r");
    await terminal.screenShows(/a number answers/);
    terminal.type("1");
    await terminal.screenShows(/All done\.[^]*— done/);
    place.write("a.txt", "mine now\n");
    terminal.type("/rewind\r");
    await terminal.screenShows(/before turn 1: make a file/);
    terminal.type("\r");
    await terminal.screenShows(/conflict[^]*conversation and files/);
    terminal.type("\r");
    await terminal.screenShows(/left alone a\.txt/);
    expect(place.read("a.txt")).toBe("mine now\n");
    terminal.type("\u0015");
    await leave(terminal);
  });

  test("the model is switched, and the next request asks the other one", async () => {
    const { terminal, stage } = await open([{ text: "One." }, { text: "Two." }]);
    terminal.type("first\r");
    await terminal.screenShows(/One\.[^]*— done/);
    terminal.type("/model anthropic/another\r");
    await terminal.screenShows(/^anthropic\/another ·/m);
    terminal.type("second\r");
    await terminal.screenShows(/Two\.[^]*— done/);
    expect(stage.exchanges.map(({ body }) => Reflect.get(Object(body), "model"))).toEqual(["rehearsal", "another"]);
    await leave(terminal);
  });

  test("50 KB are pasted as one token, an image beside it, and both are sent whole", async () => {
    const bin = join(place.folder, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(place.folder, "picture.png"), png);
    writeFileSync(join(bin, "wl-paste"), `#!/bin/sh\n[ "$3" = image/png ] && exec cat '${place.folder}/picture.png'\n`);
    chmodSync(join(bin, "wl-paste"), 0o755);
    const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}` };
    const { terminal, stage } = await open([{ text: "Much to read." }], [], env);
    const text = Array.from({ length: 1000 }, (_, at) => `line ${at} of what is pasted, with some more words to it\n`);
    terminal.paste(text.join(""));
    await terminal.screenShows(/› \[Paste #1 \d+ lines\]/);
    terminal.type(" and \u0016");
    await terminal.screenShows(/\] and \[Image #2\]|\] and \[Image #1\]/);
    terminal.type("\r");
    await terminal.screenShows(/Much to read\.[^]*— done/);
    const sent = JSON.stringify(stage.exchanges[0]);
    for (const at of [0, 500, 999]) expect(sent).toContain(`line ${at} of what is pasted`);
    expect(sent).toContain(png.toString("base64"));
    await leave(terminal);
  });

  test("a session that another process runs is joined, and its question answered here", async () => {
    inbox.writeScript("echo run >> runs.log");
    const stage = await place.rehearse("anthropic", [{ tool_calls: [count] }, { text: "Counted." }]);
    const running = await inbox.startWaiting(stage);
    const terminal = start(["tui", "-c"], stage.env);
    await terminal.screenShows(/▌ [^]*count\.sh[^]*a number answers/);
    terminal.type("1");
    await terminal.screenShows(/Counted\.[^]*— done/);
    expect((await running.ended).code).toBe(0);
    expect(inbox.runs).toBe(1);
    await leave(terminal);
  });
});
