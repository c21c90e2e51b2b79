import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { trustClasses } from "../src/trust-classes.ts";
import type { TrustQuestion, WorkspaceTrust } from "../src/workspace-trust.ts";
import { trustPlaces } from "./trust-place.ts";

const configuration = "tools.disabled = ['x']\n";

/** What a decision comes down to. */
function short({ trusted, by, ignored, changed, approved }: WorkspaceTrust): unknown {
  return {
    trusted,
    by,
    ignored: ignored.map((place) => place.name),
    changed: changed.map(({ name, change }) => `${name} ${change}`),
    approved: approved.size,
  };
}

const nobody = { trusted: false, by: "nobody", ignored: [], changed: [], approved: 0 };

test("a file in a directory that was not looked at when the folder was trusted is not said to have come since; once it was trusted there, what comes is", async () => {
  const { write, trust, decide, repository } = trustPlaces();
  write("AGENTS.md", "root\n");
  write("sub/AGENTS.md", "sub\n");
  await trust();
  const sub = join(repository, "sub");
  const found = await decide({ cwd: sub });
  expect(found.changed).toMatchObject([{ name: "sub/AGENTS.md", change: "unseen" }]);
  expect(found.notices[0]?.text).toMatch(/^"?sub\/AGENTS\.md"? was not looked at when .*repository"? was trusted$/);
  write("CLAUDE.md", "more\n");
  expect((await decide()).changed).toMatchObject([{ name: "CLAUDE.md", change: "added" }]);
  expect((await decide({ cwd: sub, ask: async () => "trust" })).trusted).toBe(true);
  expect((await decide({ cwd: sub })).trusted).toBe(true);
  // Each directory that was ever looked at counts from then on.
  write("sub/CLAUDE.md", "late\n");
  write("other/AGENTS.md", "other\n");
  expect((await decide({ cwd: sub })).changed).toMatchObject([{ name: "sub/CLAUDE.md", change: "added" }]);
  expect((await decide({ cwd: join(repository, "other") })).changed).toMatchObject([{ change: "unseen" }]);
});

test("a folder is not trusted until somebody says so; then it is, with what it holds now", async () => {
  const { write, decide, trust } = trustPlaces();
  expect(short(await decide())).toEqual(nobody);
  write(".capstan/config.toml", configuration);
  write("AGENTS.md", "words\n");
  const before = await decide();
  expect(short(before)).toEqual({ ...nobody, ignored: [".capstan/config.toml", "AGENTS.md"] });
  expect(before.notices.map((notice) => notice.code)).toEqual(["trust.ignored", "trust.note", "trust.hint"]);
  await trust();
  expect(short(await decide())).toEqual({ ...nobody, trusted: true, by: "store", approved: 2 });
});

test("--trust holds for one run: the user sees it, and nothing is remembered", async () => {
  const { home, repository, write, decide } = trustPlaces();
  write("AGENTS.md", "words\n");
  const once = await decide({ once: true });
  expect(short(once)).toEqual({ ...nobody, trusted: true, by: "flag", approved: 1 });
  expect(once.notices).toEqual([
    {
      level: "warning",
      code: "trust.flag",
      text: `WARNING: --trust: what ${repository} brings along counts for this run, whoever wrote it: AGENTS.md (6 bytes).`,
    },
  ]);
  expect(existsSync(home)).toBe(false);
  expect((await decide()).trusted).toBe(false);
});

/** One path of each class; everything in its folders counts. */
const paths: readonly string[] = [
  ...trustClasses.flatMap(({ files, folders }) => [...files, ...folders.map((folder) => `${folder}/deep/er/file`)]),
  "AGENTS.md",
  "CLAUDE.md",
];

test.for(paths)("one changed byte of %s, or the file as a new one, is not trusted any more", async (path) => {
  const { write, decide, trust } = trustPlaces();
  write("AGENTS.md", "words\n");
  await trust();
  write(path, "one\ntwo\n");
  const isNew = path === "AGENTS.md" ? "changed" : "added";
  expect(short(await decide())).toMatchObject({ trusted: false, changed: [`${path} ${isNew}`], approved: 0 });
  await trust();
  expect(short(await decide())).toMatchObject({ trusted: true, by: "store" });
  write(path, "one\ntwO\n");
  const { trusted, changed, notices } = await decide();
  expect({ trusted, changed }).toEqual({
    trusted: false,
    changed: [
      {
        name: path,
        change: "changed",
        diff: { added: 1, removed: 1, lines: ["@@ -1 +1 @@", " one", "-two", "+twO"] },
      },
    ],
  });
  expect(notices[0]?.text).toContain(`${path} changed (1 line added, 1 line removed) since `);
});

test("a file that is gone enables nothing, and brings no question", async () => {
  const { repository, write, decide, trust } = trustPlaces();
  write("AGENTS.md", "words\n");
  write(".mcp.json", "{}");
  await trust();
  rmSync(join(repository, ".mcp.json"));
  expect(short(await decide())).toMatchObject({ trusted: true, approved: 1 });
  write(".mcp.json", "{}");
  expect((await decide()).trusted).toBe(true);
});

test("a file that turns from advice into something that runs is a change, even with the same bytes", async () => {
  const { repository, write, decide, trust } = trustPlaces();
  write("AGENTS.md", "{}");
  await trust();
  renameSync(join(repository, "AGENTS.md"), join(repository, ".mcp.json"));
  expect((await decide()).changed.map((difference) => difference.name)).toEqual([".mcp.json"]);
});

test("trust in a folder does not reach a repository beneath it, nor one around it", async () => {
  const { root, write, decide, trust } = trustPlaces();
  mkdirSync(join(root, ".git"));
  write("AGENTS.md", "words\n");
  writeFileSync(join(root, "AGENTS.md"), "words\n");
  await trust(root);
  expect([(await decide({ cwd: root })).trusted, (await decide()).trusted]).toEqual([true, false]);
  await trust();
  rmSync(join(root, "home", "trust"), { recursive: true });
  await trust();
  expect([(await decide({ cwd: root })).trusted, (await decide()).trusted]).toEqual([false, true]);
});

test("a folder of a trusted repository is trusted with it, as long as it brings nothing new", async () => {
  const { repository, write, decide, trust } = trustPlaces();
  write(".capstan/config.toml", configuration);
  write("packages/one/index.js", "");
  await trust();
  const cwd = join(repository, "packages", "one");
  expect(await decide({ cwd })).toMatchObject({ trusted: true, folder: repository });
  write("packages/one/.capstan/config.toml", configuration);
  expect(await decide({ cwd })).toMatchObject({
    trusted: false,
    changed: [{ name: "packages/one/.capstan/config.toml", change: "unseen" }],
  });
  expect((await decide()).trusted).toBe(true);
});

test.for([
  ["a `.git` file that points to it", (there: string, here: string) => writeFileSync(here, `gitdir: ${there}\n`)],
  ["a `.git` link that points to it", (there: string, here: string) => symlinkSync(there, here)],
  [
    "a `commondir` that points to it",
    (there: string, here: string) => {
      mkdirSync(here);
      writeFileSync(join(here, "commondir"), `${there}\n`);
    },
  ],
] as const)("trust in a repository is not borrowed by %s", async ([, borrow]) => {
  const { root, repository, write, decide, trust } = trustPlaces();
  write("AGENTS.md", "words\n");
  await trust();
  const thief = join(root, "thief");
  mkdirSync(thief);
  writeFileSync(join(thief, "AGENTS.md"), "words\n");
  borrow(join(repository, ".git"), join(thief, ".git"));
  expect(await decide({ cwd: thief })).toMatchObject({ trusted: false, folder: thief });
});

test("another folder at the path of a trusted one is not trusted, however alike it is", async () => {
  const { root, repository, write, decide, trust } = trustPlaces();
  write("AGENTS.md", "words\n");
  await trust();
  const twin = join(root, "twin");
  cpSync(repository, twin, { recursive: true, preserveTimestamps: true });
  rmSync(repository, { recursive: true });
  renameSync(twin, repository);
  const { trusted, notices } = await decide();
  expect([trusted, notices[0]?.text]).toEqual([
    false,
    `${repository} is not the folder that was trusted: another one is there now`,
  ]);
  // Made again in the same place, it may even get the number of the old one.
  rmSync(repository, { recursive: true });
  mkdirSync(join(repository, ".git"), { recursive: true });
  write("AGENTS.md", "words\n");
  expect((await decide()).trusted).toBe(false);
});

test("a link to a trusted folder is that folder, by its real name", async () => {
  const { root, repository, write, decide, trust } = trustPlaces();
  write("AGENTS.md", "words\n");
  await trust();
  const link = join(root, "link");
  symlinkSync(repository, link);
  expect(await decide({ cwd: link })).toMatchObject({ trusted: true, folder: repository });
  rmSync(link);
  mkdirSync(join(root, "other", ".git"), { recursive: true });
  symlinkSync(join(root, "other"), link);
  expect(await decide({ cwd: link })).toMatchObject({ trusted: false, folder: join(root, "other") });
});

test("a user is asked once, with what would be loaded; a yes is about the bytes that were read", async () => {
  const { repository, write, decide } = trustPlaces();
  write("AGENTS.md", "words\n");
  write(".capstan/hooks/before.sh", "true\n");
  const asked: TrustQuestion[] = [];
  const ask = async (question: TrustQuestion): Promise<"trust"> => {
    asked.push(question);
    expect(question.read().map((file) => file.bytes.toString())).toEqual(["true\n", "words\n"]);
    // Whoever writes between the look and the answer gains nothing.
    write("AGENTS.md", "other words\n");
    return "trust";
  };
  expect(short(await decide({ ask }))).toEqual({ ...nobody, trusted: true, by: "user", approved: 2 });
  expect(asked.map(({ folder, why, places }) => ({ folder, why, places: places.map((place) => place.name) }))).toEqual([
    { folder: repository, why: "new", places: [".capstan/hooks", "AGENTS.md"] },
  ]);
  expect((await decide()).changed.map((difference) => difference.name)).toEqual(["AGENTS.md"]);
  write("AGENTS.md", "words\n");
  expect(short(await decide({ ask }))).toMatchObject({ trusted: true, by: "store" });
  expect(asked.length).toBe(1);
});

test("a no is a no for this time, and where there is nothing to load nobody is asked", async () => {
  const { home, write, decide } = trustPlaces();
  let questions = 0;
  const ask = async (): Promise<"not-now"> => {
    questions += 1;
    return "not-now";
  };
  expect((await decide({ ask })).trusted).toBe(false);
  expect(questions).toBe(0);
  write("AGENTS.md", "words\n");
  expect((await decide({ ask })).trusted).toBe(false);
  expect((await decide({ ask })).trusted).toBe(false);
  expect([questions, existsSync(home)]).toEqual([2, false]);
});

test("what is trusted again in one directory of a repository stays trusted in the others", async () => {
  const { repository, write, decide, trust } = trustPlaces();
  write("one/AGENTS.md", "one\n");
  write("two/AGENTS.md", "two\n");
  const [one, two] = [join(repository, "one"), join(repository, "two")];
  await trust(one);
  expect(await decide({ cwd: two, ask: async () => "trust" })).toMatchObject({ by: "user" });
  expect([(await decide({ cwd: one })).by, (await decide({ cwd: two })).by]).toEqual(["store", "store"]);
});

test("links, pipes and what is too much are never loaded, and named", async () => {
  const { root, repository, write, decide } = trustPlaces();
  writeFileSync(join(root, "secret"), "secret\n");
  write(".capstan/plugins/good.js", "1");
  symlinkSync(join(root, "secret"), join(repository, ".capstan", "plugins", "link.js"));
  symlinkSync(root, join(repository, ".capstan", "plugins", "folder"));
  execFileSync("mkfifo", [join(repository, ".capstan", "plugins", "pipe")]);
  symlinkSync(join(root, "secret"), join(repository, ".capstan", "policy.toml"));
  write(".capstan/plugins/large.bin", "x".repeat(1024 * 1024 + 1));
  write(".capstan/plugins/shared.js", "1", 0o666);
  for (let number = 0; number < 300; number += 1) write(`.capstan/skills/${1000 + number}`, "x");
  write(`.capstan/agents/${"d/".repeat(20)}deep`, "x");
  const { approved, refused } = await decide({ once: true });
  expect([...approved.keys()].filter((path) => !path.includes("/skills/"))).toEqual([
    join(repository, ".capstan/plugins/good.js"),
  ]);
  const names = refused.map(({ name, reason }) => `${name}: ${reason}`);
  expect(names.map((text) => text.replaceAll(/(?<=skills\/)\d+/g, "N"))).toEqual(
    expect.arrayContaining([
      ".capstan/policy.toml: it is a link",
      ".capstan/plugins/link.js: it is a link",
      ".capstan/plugins/folder: it is a link",
      ".capstan/plugins/pipe: it is no regular file",
      ".capstan/plugins/large.bin: it has more than 1048576 bytes",
      ".capstan/plugins/shared.js: others may write to it (mode 0666); use `chmod go-w`",
      `.capstan/agents/${"d/".repeat(7)}d: it lies deeper than 8 folders`,
      ".capstan/skills/N: it and what follows are more than 256 files",
    ]),
  );
});

test("the user's own data directory is no project's, even inside a repository", async () => {
  const { repository, write, decide } = trustPlaces();
  write(".capstan/config.toml", configuration);
  write(".capstan/hooks/mine", "x");
  expect((await decide({ home: join(repository, ".capstan") })).ignored).toEqual([]);
});

test("a file that is named twice is what it is first, and no change by that", async () => {
  const { write, decide, trust } = trustPlaces();
  const instructionFiles = ["AGENTS.md", "AGENTS.md", ".mcp.json", "../repository/AGENTS.md", "", "a\0b"];
  write("AGENTS.md", "words\n");
  write(".mcp.json", "{}");
  const { places } = await decide({ instructionFiles });
  expect(places.map((place) => `${place.name} ${place.class}`).toSorted()).toEqual([
    ".mcp.json mcp-servers",
    "AGENTS.md instructions",
  ]);
  await trust();
  expect((await decide({ instructionFiles })).trusted).toBe(true);
});

test("what is too much to be held at once is refused from there on", async () => {
  const { write, decide } = trustPlaces();
  const large = "x".repeat(1024 * 1024);
  for (let number = 10; number < 45; number += 1) write(`.capstan/skills/${number}`, large);
  const { approved, refused } = await decide({ once: true });
  expect([approved.size, refused]).toEqual([
    32,
    [{ name: ".capstan/skills/42", class: "skills", reason: "it and what follows are more than 33554432 bytes" }],
  ]);
});

test("names of files and folders cannot steer a terminal", async () => {
  const { write, decide } = trustPlaces();
  write(".capstan/plugins/\u001b[2J\u202e", "x", 0o666);
  const { notices } = await decide({ once: true });
  expect(notices.at(-1)?.text).toContain(String.raw`.capstan/plugins/\u001b[2J\u202e is ignored`);
});

test("a refusal to be remembered leaves trust for this run, and is reported", async () => {
  const { home, write, decide } = trustPlaces();
  write("AGENTS.md", "words\n");
  writeFileSync(home, "a file where the data directory should be");
  const decided = await decide({ ask: async () => "trust" });
  expect([decided.trusted, decided.notices.map((notice) => notice.code)]).toEqual([true, ["trust.store"]]);
  expect(readdirSync(join(home, "..")).toSorted()).toEqual(["home", "repository"]);
});
