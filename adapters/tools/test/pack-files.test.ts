import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FilePack } from "@capstan/ports";
import { expect, onTestFinished, test } from "vitest";
import { openPacker } from "../src/index.ts";

const root = { files: 10, bytes: 1000 };

function workspaceOf(files: Readonly<Record<string, string>>): string {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "capstan-pack-")));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

async function pack(cwd: string, named: Partial<FilePack>, limits = root): ReturnType<ReturnType<typeof openPacker>> {
  const whole = { include: ["**"], exclude: [], ...named };
  const signal = new AbortController().signal;
  return await openPacker(["**/secret/**", "*.key"])({ cwd, roots: [cwd] }, whole, limits, signal);
}

const pathsOf = ({ files }: Awaited<ReturnType<typeof pack>>): readonly string[] => files.map(({ path }) => path);

test("files come in the order of their paths, without what is ignored, excluded or a link", async () => {
  const cwd = workspaceOf({ "b.ts": "b", "a/x.ts": "x", "a/x.snap": "s", ".gitignore": "out/\n", "out/made.ts": "m" });
  symlinkSync("b.ts", join(cwd, "c.ts"));
  const named = { include: ["**/*.{ts,snap}"], exclude: ["**/*.snap"] };
  for (const _ of [1, 2]) expect(pathsOf(await pack(cwd, named))).toEqual(["a/x.ts", "b.ts"]);
});

test("what is protected is never read, under whatever name, and its content is nowhere", async () => {
  const cwd = workspaceOf({ "secret/one.txt": "hidden words", "own.key": "hidden words", "plain.txt": "plain" });
  linkSync(join(cwd, "own.key"), join(cwd, "other.txt"));
  const packed = await pack(cwd, {});
  expect(pathsOf(packed)).toEqual(["plain.txt"]);
  expect(JSON.stringify(packed)).not.toContain("hidden words");
});

test("a file that has no room is refused with its size, and a smaller one after it still fits", async () => {
  const cwd = workspaceOf({ "a.txt": "x".repeat(600), "b.txt": "x".repeat(600), "c.txt": "x".repeat(300) });
  const packed = await pack(cwd, {});
  expect(pathsOf(packed)).toEqual(["a.txt", "c.txt"]);
  expect(packed.refused).toEqual([{ path: "b.txt", bytes: 600, reason: "400 of 1000 bytes are left" }]);
  const few = await pack(cwd, {}, { files: 1, bytes: 1000 });
  expect(few.refused.map(({ reason }) => reason)).toEqual(["there is room for 1 files", "there is room for 1 files"]);
});

test("what is no text is refused by what it is, and a pattern that cannot be read matches nothing", async () => {
  const cwd = workspaceOf({ "a.txt": "words" });
  writeFileSync(join(cwd, "p.png"), Buffer.from("89504e470d0a1a0a00", "hex"));
  expect((await pack(cwd, {})).refused).toEqual([{ path: "p.png", bytes: 9, reason: "it is no text: PNG image" }]);
  expect(await pack(cwd, { include: ["[", "{"] })).toEqual({ files: [], refused: [] });
});
