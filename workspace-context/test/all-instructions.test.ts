import { chmodSync, linkSync, mkdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { allInstructions, type InstructionSources } from "../src/all-instructions.ts";
import { ownInstructionsNotice } from "../src/own-instructions-notice.ts";
import { newDirectory, newRepository } from "./repository.ts";

interface Place {
  readonly root: string;
  readonly home: string;
  readonly write: (path: string, text: string) => void;
  readonly writeOwn: (path: string, text: string) => void;
  /** The words that are reported, in order; `!` before those that are trusted, `~` before the user's own. */
  readonly reported: (folder?: string, more?: Partial<InstructionSources>) => Promise<readonly string[]>;
}

function newPlace(): Place {
  const { root, write } = newRepository();
  const { root: home, write: writeOwn } = newDirectory();
  mkdirSync(join(root, "a", "b"), { recursive: true });
  const sources: InstructionSources = {
    names: ["AGENTS.md", "CLAUDE.md", "GEMINI.md"],
    limitBytes: 1000,
    home,
    isTrusted: ({ text }) => text.startsWith("trusted"),
  };
  const reported: Place["reported"] = async (folder = "a/b", more = {}) => {
    const part = await allInstructions(join(root, folder), { ...sources, ...more });
    const sections = part?.text.matchAll(/^(.*)\n<([^>]+)>\n([^]*?)\n<\/\2>$/gm) ?? [];
    return [...sections].map(([, head = "", mark, text = ""]) => {
      const whose = head.startsWith("The user's own") ? "~" : mark === "instructions" ? "!" : "";
      return `${whose}${text.replaceAll("\n", "|")}`;
    });
  };
  return { root, home, write, writeOwn, reported };
}

test("the user's own words come first, then the project's from its root down to the working directory", async () => {
  const { write, writeOwn, reported } = newPlace();
  expect(await reported()).toEqual([]);
  writeOwn("AGENTS.md", "own\n");
  write("AGENTS.md", "trusted root\n");
  write("a/AGENTS.md", "in a\n");
  write("a/AGENTS.local.md", "here alone\n");
  write("a/b/AGENTS.md", "in b\n");
  expect(await reported()).toEqual(["~own", "!trusted root", "in a", "here alone", "in b"]);
  expect(await reported("a")).toEqual(["~own", "!trusted root", "in a", "here alone"]);
  expect(await reported("")).toEqual(["~own", "!trusted root"]);
  write("a/b/AGENTS.md", "changed\n");
  expect((await reported()).at(-1)).toBe("changed");
});

test("names count in any letter case, and other agents' files where there is none of ours with words", async () => {
  const { write, writeOwn, reported } = newPlace();
  writeOwn("agents.MD", "own\n");
  write("Agents.md", "root\n");
  write("CLAUDE.md", "never\n");
  write("a/claude.md", "fallback\n");
  write("a/GEMINI.md", "never\n");
  write("a/b/AGENTS.md", " \n");
  write("a/b/GEMINI.md", "last\n");
  write("a/b/gemini.LOCAL.md", "local\n");
  expect(await reported()).toEqual(["~own", "root", "fallback", "last", "local"]);
});

test("no text is reported twice, neither in another folder nor by a link, and links lead nowhere", async () => {
  const { root, home, write, writeOwn, reported } = newPlace();
  writeOwn("AGENTS.md", "same\n");
  write("AGENTS.md", "same\n\n");
  write("a/AGENTS.md", "other\n");
  linkSync(join(root, "a/AGENTS.md"), join(root, "a/b/AGENTS.md"));
  expect(await reported()).toEqual(["~same", "other"]);
  write("secret.txt", "secret\n");
  symlinkSync(join(root, "secret.txt"), join(root, "a/b/AGENTS.local.md"));
  expect(await reported()).toEqual(["~same", "other"]);
  expect(await reported("a", { home: join(home, "gone") })).toEqual(["same", "other"]);
});

test("the nearest words have the room first, and the user's own have as much", async () => {
  const { write, writeOwn, reported } = newPlace();
  writeOwn("AGENTS.md", "own words");
  write("AGENTS.md", "root");
  write("a/AGENTS.md", "in the middle");
  write("a/b/AGENTS.md", "near");

  expect(await reported("a/b", { limitBytes: 9 })).toEqual([`~own words`, `in th${cut(5)}`, "near"]);
  expect(await reported("a/b", { limitBytes: 0 })).toEqual([]);
});

test("own words may be a link to where the user keeps them; what others may write to is left out, and that is said", async () => {
  const { home, reported } = newPlace();
  const kept = newDirectory();
  kept.write("agents", "own\n");
  symlinkSync(join(kept.root, "agents"), join(home, "AGENTS.md"));
  expect(await reported()).toEqual(["~own"]);
  expect(ownInstructionsNotice(home)).toEqual([]);
  chmodSync(join(kept.root, "agents"), 0o666);
  expect(await reported()).toEqual([]);
  expect(ownInstructionsNotice(home)).toMatchObject([
    { level: "warning", text: expect.stringMatching(/left out: others may write to it .*chmod go-w/) },
  ]);
  expect(ownInstructionsNotice(join(home, "gone"))).toEqual([]);
});

test("own words that are a link to nothing, in a circle or through a file end no turn; what cannot be read is named", async () => {
  const { home, reported } = newPlace();
  const own = join(home, "AGENTS.md");
  const notices: string[] = [];
  for (const target of ["nowhere", "AGENTS.md", "/etc/passwd/words"]) {
    symlinkSync(target, own);
    expect(await reported()).toEqual([]);
    notices.push(ownInstructionsNotice(home).map(({ text }) => text)[0] ?? "");
    unlinkSync(own);
  }
  expect(notices).toEqual(["", expect.stringContaining("ELOOP"), expect.stringContaining("ENOTDIR")]);
});

function cut(bytes: number): string {
  return `|[… cut after ${bytes} bytes; read the file for the rest]`;
}
