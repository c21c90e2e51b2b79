import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readAttachments } from "../src/attachments.ts";
import { newFolder } from "./run-words.ts";

function file(name: string, content: string | Buffer): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** The first attachment, or what was wrong with it. */
async function read(path: string): Promise<unknown> {
  return readAttachments([path]).then(
    ([attachment]) => attachment,
    ({ code, message }: { readonly code: string; readonly message: string }) => `${code}: ${message}`,
  );
}

test.each<[string, string, Buffer]>([
  ["image/png", "a.txt", Buffer.from("\x89PNG\r\n\x1a\n....", "latin1")],
  ["image/jpeg", "a.jpg", Buffer.from("\xff\xd8\xff\xe0....", "latin1")],
  ["image/gif", "a.gif", Buffer.from("GIF89a....", "latin1")],
  ["image/webp", "a", Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1")],
  ["audio/wav", "a.webp", Buffer.from("RIFF\0\0\0\0WAVEfmt ", "latin1")],
  ["application/pdf", "a.pdf", Buffer.from("%PDF-1.7\n%\xe2\xe3", "latin1")],
  ["video/mp4", "a.mp4", Buffer.from("\0\0\0\x18ftypmp42", "latin1")],
  ["image/heic", "a.heic", Buffer.from("\0\0\0\x18ftypheic", "latin1")],
  ["text/plain", "a.md", Buffer.from("# Grüße 🎉\n")],
])("%s is recognised by the content of %s", async (mediaType, name, content) => {
  const data = content.toString("base64");
  expect(await read(file(name, content))).toEqual({ type: "media", mediaType, data, name });
});

test("what cannot be attached is refused by name, and says why", async () => {
  const binary = file("a.bin", Buffer.from([1, 2, 0, 3]));
  expect(await read(binary)).toBe(
    `usage.invalid: ${binary} is neither text nor an image, PDF, audio or video that models take`,
  );
  expect(await read("")).toBe("usage.invalid: --attach was given an empty name");
  const empty = file("empty.png", "");
  expect(await read(empty)).toBe(`usage.invalid: ${empty} is empty`);
  const folder = join(newFolder(), "folder");
  mkdirSync(folder);
  expect(await read(folder)).toBe(`usage.invalid: ${folder} is not a file`);
  expect(await read(join(folder, "missing.png"))).toContain("missing.png cannot be read: ENOENT");
  const large = file("large.txt", Buffer.alloc(15 * 1024 * 1024 + 1, "x"));
  expect(await read(large)).toBe(`usage.invalid: ${large} has more than 15 MB`);
  await expect(readAttachments(Array(21).fill(empty))).rejects.toThrow("at most 20 files");
});

test("a pipe that nobody writes to is refused and not waited for", async () => {
  const pipe = join(newFolder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  expect(await read(pipe)).toBe(`usage.invalid: ${pipe} is not a file`);
});

test.runIf(process.platform === "linux")("a file that fails while it is read is refused by name", async () => {
  expect(await read("/proc/self/mem")).toContain("usage.invalid: /proc/self/mem cannot be read: EIO");
});
