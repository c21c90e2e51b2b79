import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readInstructions } from "../src/instruction-file.ts";
import { newDirectory } from "./repository.ts";

const names = ["AGENTS.md", "CLAUDE.md"];

/** Name and text, as most tests compare them. */
async function read(
  root: string,
  among: readonly string[] = names,
): Promise<{ readonly name: string; readonly text: string } | undefined> {
  const found = await readInstructions(root, among, 100);
  return found === undefined ? undefined : { name: found.name, text: found.text };
}

test("the first file that has words is read, whole", async () => {
  const { root, write } = newDirectory();
  expect(await read(root)).toBeUndefined();
  write("CLAUDE.md", "second\n");
  expect(await read(root)).toEqual({ name: "CLAUDE.md", text: "second\n" });
  write("AGENTS.md", " \n\t\n");
  expect(await read(root)).toEqual({ name: "CLAUDE.md", text: "second\n" });
  write("AGENTS.md", "first\n");
  expect(await read(root)).toEqual({ name: "AGENTS.md", text: "first\n" });
  expect(await read(root, [])).toBeUndefined();
});

test("a link is not followed: it could lead out of the project", async () => {
  const { root, write } = newDirectory();
  const secret = newDirectory();
  secret.write("secret", "secret words\n");
  symlinkSync(join(secret.root, "secret"), join(root, "AGENTS.md"));
  expect(await read(root)).toBeUndefined();
  write("CLAUDE.md", "plain\n");
  expect(await read(root)).toEqual({ name: "CLAUDE.md", text: "plain\n" });
});

test("a pipe is not waited for, and a directory is no file", async () => {
  const { root, write } = newDirectory();
  execFileSync("mkfifo", [join(root, "AGENTS.md")]);
  mkdirSync(join(root, "CLAUDE.md"));
  expect(await read(root)).toBeUndefined();
  write("GEMINI.md", "plain\n");
  expect(await read(root, [...names, "GEMINI.md"])).toEqual({ name: "GEMINI.md", text: "plain\n" });
});

test("a long file is cut at the limit and says so; one of exactly that length is not", async () => {
  const { root, write } = newDirectory();
  write("AGENTS.md", "x".repeat(100));
  expect((await readInstructions(root, names, 100))?.text).toBe("x".repeat(100));
  write("AGENTS.md", `${"x".repeat(100)}y`);
  expect((await readInstructions(root, names, 100))?.text).toBe(
    `${"x".repeat(100)}\n[… cut after 100 bytes; read the file for the rest]`,
  );
});

test("the hash is that of the whole file, however little of it is shown; one too large to be trusted has none", async () => {
  const { root, write } = newDirectory();
  const text = "x".repeat(1000);
  write("AGENTS.md", text);
  const sha256 = createHash("sha256").update(text).digest("hex");
  expect(await readInstructions(root, names, 10)).toMatchObject({ path: join(root, "AGENTS.md"), sha256 });
  truncateSync(join(root, "AGENTS.md"), 1024 * 1024 + 1);
  expect(await readInstructions(root, names, 10)).not.toHaveProperty("sha256");
});

test("a file larger than memory costs no more than the limit", async () => {
  const { root } = newDirectory();
  writeFileSync(join(root, "AGENTS.md"), "words\n");
  truncateSync(join(root, "AGENTS.md"), 2 ** 40);
  expect((await readInstructions(root, names, 6))?.text).toBe(
    "words\n\n[… cut after 6 bytes; read the file for the rest]",
  );
});

test("bytes that are no text, and characters cut in two, come out well-formed", async () => {
  const { root } = newDirectory();
  writeFileSync(join(root, "AGENTS.md"), Buffer.from([0x61, 0xff, 0xfe, 0x62]));
  expect((await readInstructions(root, names, 100))?.text).toBe("a\ufffd\ufffdb");
  writeFileSync(join(root, "AGENTS.md"), "aé世😀");
  for (let limit = 1; limit < 10; limit++)
    expect((await readInstructions(root, names, limit))?.text.isWellFormed()).toBe(true);
});
