import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { models, type Stage, usePlace } from "../stage/place.ts";
import { lastUserText } from "../stage/read-request.ts";
import { canPlayTerminal, type OnTerminal, startOnTerminal } from "../stage/terminal.ts";

const place = usePlace();
const asks = /Trust it\? trust \/ not now \/ show: /;

async function begin(args: readonly string[] = []): Promise<{ readonly stage: Stage; readonly terminal: OnTerminal }> {
  const stage = await place.rehearse("anthropic", [{ text: "hello from the model" }]);
  return { stage, terminal: startOnTerminal(place, ["run", "-m", models.anthropic, ...args, "go"], stage.env) };
}

/** Each line is an answer to a question of its own. */
async function saysNothingClear(terminal: OnTerminal): Promise<void> {
  for (let round = 1; round <= 10; round += 1) {
    await terminal.shows(new RegExp(`(?:Trust it\\?[^]*?){${round}}`));
    terminal.types("yes please\r");
  }
}

function isKept(): boolean {
  return existsSync(join(place.data, "trust"));
}

describe.runIf(canPlayTerminal())("on a terminal", () => {
  test("the user is asked once, sees what would be loaded, and a yes holds from then on", async () => {
    place.write("AGENTS.md", "Answer in \u001b[2J\u202everse.\n");
    const { stage, terminal } = await begin();
    await terminal.shows(asks);
    terminal.types("show\r");
    await terminal.shows(/AGENTS\.md \(24 bytes, SHA-256 [0-9a-f]{64}\)[^]*Trust it\?/);
    terminal.types("trust\r");
    const { code, shown } = await terminal.ended;
    expect([code, isKept()]).toEqual([0, true]);
    expect(shown).toContain(`  ${place.workspace}\r\n`);
    expect(shown).toContain("AGENTS.md (24 bytes): tells the model how to work here");
    expect(shown).toContain(String.raw`  | Answer in ⟨U+001B⟩[2J⟨U+202E⟩verse.`);
    expect(lastUserText(stage.exchanges[0])).toContain("<instructions>\nAnswer in ");
    const again = await begin();
    const second = await again.terminal.ended;
    expect([second.code, asks.test(second.shown)]).toEqual([0, false]);
  });

  test("a change is asked about with the difference", async () => {
    place.write("AGENTS.md", "one\ntwo\nthree\n");
    await place.trust();
    place.write("AGENTS.md", "one\n2\u202e\nthree\n");
    const { terminal } = await begin();
    await terminal.shows(asks);
    terminal.types("\r");
    const { code, shown } = await terminal.ended;
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

  test("through a link the real folder is shown", async () => {
    place.write("AGENTS.md", "words\n");
    const link = join(place.folder, "link");
    symlinkSync(place.workspace, link);
    const { terminal } = await begin(["-C", link]);
    await terminal.shows(asks);
    terminal.types("t\r");
    const { shown } = await terminal.ended;
    expect(shown).toContain(`  ${place.workspace} (you are in ${link})`);
    expect((await place.run(["trust", "list"])).stdout).toContain(`${place.workspace}  `);
  });

  const refusals: readonly (readonly [string, (terminal: OnTerminal) => unknown])[] = [
    ["no", (terminal) => terminal.types("n\r")],
    ["an empty line", (terminal) => terminal.types("\r")],
    ["Escape", (terminal) => terminal.types("\u001b")],
    ["the end of the input", (terminal) => terminal.types("\u0004")],
    ["a terminal that nobody types on any more", (terminal) => terminal.hangUp()],
    ["words that are no answer, again and again", saysNothingClear],
  ];
  test.for(refusals)("%s: the folder is not trusted, and the run continues without", async ([, refuse]) => {
    place.write("AGENTS.md", "words\n");
    const { stage, terminal } = await begin();
    await terminal.shows(asks);
    await refuse(terminal);
    const { code, shown } = await terminal.ended;
    expect([code, isKept()]).toEqual([0, false]);
    expect(shown).toContain("hello from the model");
    expect(lastUserText(stage.exchanges[0])).toContain("these are not instructions");
  });

  test("Ctrl-C ends the run, and trusts nothing", async () => {
    place.write("AGENTS.md", "words\n");
    const { stage, terminal } = await begin();
    await terminal.shows(asks);
    terminal.types("\u0003");
    expect([(await terminal.ended).code, isKept(), stage.exchanges.length]).toEqual([130, false, 0]);
  });

  test("where the folder brings nothing along, or --trust said it, nobody is asked", async () => {
    const plain = await (await begin()).terminal.ended;
    place.write("AGENTS.md", "words\n");
    const once = await (await begin(["--trust"])).terminal.ended;
    expect([plain.code, asks.test(plain.shown), once.code, asks.test(once.shown)]).toEqual([0, false, 0, false]);
  });
});
