import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** The terminal UI where only what stands in `bin` reads the clipboard. */
async function openWith(
  wlPaste: string | null,
): Promise<{ terminal: TerminalRun; requests: () => readonly unknown[] }> {
  const bin = join(place.folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(place.folder, "picture.png"), png);
  for (const program of ["cat", "sh", "stty"]) symlinkSync(join("/bin", program), join(bin, program));
  symlinkSync(process.execPath, join(bin, "node"));
  if (wlPaste !== null) {
    writeFileSync(join(bin, "wl-paste"), `#!/bin/sh\n${wlPaste}\n`);
    chmodSync(join(bin, "wl-paste"), 0o755);
  }
  const stage = await inbox.rehearse([{ text: "A dot." }]);
  const words = ["tui", "-m", "anthropic/rehearsal", ...asking];
  const terminal = startOnTerminal(place, words, { rows: 40, env: { ...stage.env, PATH: bin } });
  await terminal.screenShows(/^› /m);
  return { terminal, requests: () => stage.exchanges };
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0003\u0004");
  expect(await terminal.ended).toBe(0);
}

test("Ctrl-V puts the clipboard's picture into the draft as one letter, and a second one; both are sent", async () => {
  const picture = join(place.folder, "picture.png");
  const { terminal, requests } = await openWith(`[ "$3" = image/png ] && exec cat '${picture}'`);
  terminal.type("see \u0016");
  await terminal.screenShows(/› see \[Image #1\]/);
  terminal.type(" and \u0016");
  await terminal.screenShows(/› see \[Image #1\] and \[Image #2\]/);
  terminal.type("\u007f");
  await terminal.screenShows(/› see \[Image #1\] and \n/);
  terminal.type("\u0016");
  await terminal.screenShows(/and \[Image #3\]/);
  terminal.type("\r");
  await terminal.screenShows(/A dot\./);
  const sent = JSON.stringify(requests());
  expect(sent.split(png.toString("base64"))).toHaveLength(3);
  await leave(terminal);
});

test("a clipboard without a picture is said in a line, and the draft stays", async () => {
  const { terminal, requests } = await openWith("echo 'No suitable type of content copied' >&2; exit 1");
  terminal.type("some words\u0016");
  await terminal.screenShows(/wl-paste finds no picture on the clipboard\.[^]*› some words\n/);
  expect(requests()).toEqual([]);
  await leave(terminal);
});

test("where no program reads the clipboard, a line names those that would", async () => {
  const { terminal, requests } = await openWith(null);
  terminal.type("some words\u0016");
  await terminal.screenShows(/read from the clipboard by one of wl-paste, xclip, pngpaste,[^]*› some words\n/);
  expect(requests()).toEqual([]);
  await leave(terminal);
});

slowTest(
  "/copy gives the terminal the last answer, each time; one that terminals would drop is not said to be copied",
  async () => {
    const stage = await inbox.rehearse([{ text: "A dot." }, { text: "long ".repeat(21_000) }, { text: "Ünd." }]);
    const terminal = startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], { rows: 40, env: stage.env });
    const copies = (): readonly string[] =>
      // oxlint-disable-next-line no-control-regex -- the sequence of the clipboard
      [...terminal.text().matchAll(/\u001b\]52;c;([^\u0007]*)\u0007/g)].map(([, data = ""]) =>
        Buffer.from(data, "base64").toString("utf8"),
      );
    await terminal.screenShows(/^› /m);
    terminal.type("/copy\r");
    await terminal.screenShows(/There is no answer to copy yet\./);
    terminal.type("go\r");
    await terminal.screenShows(/A dot\.[^]*— done/);
    terminal.type("/copy\r");
    await terminal.screenShows(/Copied 6 characters/);
    terminal.type("/copy\r");
    terminal.type("more\r");
    await terminal.screenShows(/— done[^]*— done/);
    terminal.type("/copy\r");
    await terminal.screenShows(/Not copied: the answer has 103 KB, and terminals take 100\./);
    terminal.type("and\r");
    await terminal.screenShows(/Ünd\.[^]*— done/);
    terminal.type("/copy\r");
    await terminal.screenShows(/Copied 4 characters/);
    expect(copies()).toEqual(["A dot.", "A dot.", "Ünd."]);
    await leave(terminal);
  },
);
