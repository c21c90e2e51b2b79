import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sampled, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { models, type Stage, usePlace } from "../stage/place.ts";
import { lastUserText } from "../stage/read-request.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const place = usePlace();
const asks = /Trust it\? trust \/ not now \/ show: /;

async function begin(args: readonly string[] = []): Promise<{ readonly stage: Stage; readonly terminal: TerminalRun }> {
  const stage = await place.rehearse("anthropic", [{ text: "hello from the model" }]);
  return {
    stage,
    terminal: startOnTerminal(place, ["run", "-m", models.anthropic, ...args, "go"], { env: stage.env }),
  };
}

async function endOf(terminal: TerminalRun): Promise<{ readonly code: number; readonly shown: string }> {
  return { code: await terminal.ended, shown: terminal.text() };
}

/** Each line is an answer to a question of its own; the first question was seen. */
async function saysNothingClear(terminal: TerminalRun): Promise<void> {
  for (let round = 1; round <= 10; round += 1) {
    if (round > 1) await terminal.shows(/Trust it\?[^]*show: /);
    terminal.type("yes please\r");
  }
}

function isKept(): boolean {
  return existsSync(join(place.data, "trust"));
}

test("the user is asked once, sees what would be loaded, and a yes holds from then on", async () => {
  place.write("AGENTS.md", "Answer in \u001b[2J\u202everse.\n");
  const { stage, terminal } = await begin();
  await terminal.shows(asks);
  terminal.type("show\r");
  await terminal.shows(/AGENTS\.md \(24 bytes, SHA-256 [0-9a-f]{64}\)[^]*Trust it\?/);
  terminal.type("trust\r");
  const { code, shown } = await endOf(terminal);
  expect([code, isKept()]).toEqual([0, true]);
  expect(shown).toContain(`  ${place.workspace}\r\n`);
  expect(shown).toContain("AGENTS.md (24 bytes): tells the model how to work here");
  expect(shown).toContain(String.raw`  | Answer in ⟨U+001B⟩[2J⟨U+202E⟩verse.`);
  expect(lastUserText(stage.exchanges[0])).toContain("<instructions>\nAnswer in ");
  const again = await begin();
  const second = await endOf(again.terminal);
  expect([second.code, asks.test(second.shown)]).toEqual([0, false]);
});

test("a change is asked about with the difference", async () => {
  place.write("AGENTS.md", "one\ntwo\nthree\n");
  await place.trust();
  place.write("AGENTS.md", "one\n2\u202e\nthree\n");
  const { terminal } = await begin();
  await terminal.shows(asks);
  terminal.type("\r");
  const { code, shown } = await endOf(terminal);
  expect(code).toBe(0);
  expect(shown).toContain("You trusted this folder, and what it brings along has changed since:");
  expect(shown.replaceAll("\r", "")).toContain(
    String.raw`    AGENTS.md changed (1 line added, 1 line removed)
      @@ -1 +1 @@
       one
      -two
      +2⟨U+202E⟩
       three
`,
  );
  expect((await place.run(["trust", "list"])).stdout).toContain("not trusted as it is now");
});

slowTest("through a link the real folder is shown", async () => {
  place.write("AGENTS.md", "words\n");
  const link = join(place.folder, "link");
  symlinkSync(place.workspace, link);
  const { terminal } = await begin(["-C", link]);
  await terminal.shows(asks);
  terminal.type("t\r");
  const { shown } = await endOf(terminal);
  expect(shown).toContain(`  ${place.workspace} (you are in ${link})`);
  expect((await place.run(["trust", "list"])).stdout).toContain(`${place.workspace}  `);
});

const refusals: readonly (readonly [string, (terminal: TerminalRun) => unknown])[] = [
  ["no", (terminal) => terminal.type("n\r")],
  ["an empty line", (terminal) => terminal.type("\r")],
  ["Escape", (terminal) => terminal.type("\u001b")],
  ["the end of the input", (terminal) => terminal.type("\u0004")],
  ["words that are no answer, again and again", saysNothingClear],
];
test.for(sampled(refusals, 1))("%s: the folder is not trusted, and the run continues without", async ([, refuse]) => {
  place.write("AGENTS.md", "words\n");
  const { stage, terminal } = await begin();
  await terminal.shows(asks);
  await refuse(terminal);
  const { code, shown } = await endOf(terminal);
  expect([code, isKept()]).toEqual([0, false]);
  expect(shown).toContain("hello from the model");
  expect(lastUserText(stage.exchanges[0])).toContain("these are not instructions");
});

slowTest("Ctrl-C ends the run, and trusts nothing", async () => {
  place.write("AGENTS.md", "words\n");
  const { stage, terminal } = await begin();
  await terminal.shows(asks);
  terminal.type("\u0003");
  expect([(await endOf(terminal)).code, isKept(), stage.exchanges.length]).toEqual([130, false, 0]);
});

test("where the folder brings nothing along, or --trust said it, nobody is asked", async () => {
  const plain = await endOf((await begin()).terminal);
  place.write("AGENTS.md", "words\n");
  const once = await endOf((await begin(["--trust"])).terminal);
  expect([plain.code, asks.test(plain.shown), once.code, asks.test(once.shown)]).toEqual([0, false, 0, false]);
});
