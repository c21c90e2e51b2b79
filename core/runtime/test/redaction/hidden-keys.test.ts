import { spawnSync } from "node:child_process";
import { inertText } from "@capstan/patterns";
import { createRedactor } from "@capstan/runtime";
import { sampled, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keySamples } from "./key-samples.ts";

/** Known by its value, and known by its form. */
const password = "correct-Horse_battery9";
const vendor = "sk-ant-api03-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8";
const redact = createRedactor([password]);

function utf16(text: string): Buffer {
  return Buffer.from(text, "utf16le");
}

function base64(text: string | Buffer): string {
  return Buffer.from(text).toString("base64");
}

function between(text: string, mark: string): string {
  return Array.from(text).join(mark);
}

/** What gets a text past who looks for it as it stands, and what shows it again. */
const disguises: readonly (readonly [name: string, hide: (key: string) => string, show: (text: string) => string])[] = [
  ["split by colour codes", (key) => between(key, "\u001b[31m"), inertText],
  ["split by a link's address", (key) => `${key.slice(0, 9)}\u001b]8;;https://a.example/b?c=d\u0007${key.slice(9)}`, inertText],
  ["split by eight-bit codes", (key) => between(key, "\u009b1m"), inertText],
  ["split by zero-width spaces", (key) => between(key, "\u200b"), inertText],
  ["split by joiners", (key) => between(key, "\u200d"), (text) => text.replaceAll("\u200d", "")],
  ["split by a soft hyphen and a mark of direction", (key) => between(key, "\u00ad\u202e"), inertText],
  ["split by tags", (key) => between(key, "\u{e0041}"), inertText],
  ["split by NUL", (key) => between(key, "\0"), inertText],
  ["in UTF-16 that was read as bytes", (key) => utf16(key).toString("latin1"), inertText],
  ["in base64 of UTF-16", (key) => base64(utf16(key)), (text) => Buffer.from(text, "base64").toString("utf16le")],
  ["in hex of UTF-16", (key) => utf16(key).toString("hex"), (text) => Buffer.from(text, "hex").toString("utf16le")],
  ["in hex", (key) => Buffer.from(key).toString("hex"), (text) => Buffer.from(text, "hex").toString()],
  ["in base64 of base64", (key) => base64(base64(key)), (text) => Buffer.from(Buffer.from(text, "base64").toString(), "base64").toString()],
  ["in octal escapes", (key) => Array.from(key, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`).join(""), fromEscapes(8)],
  ["in octal escapes of printf", (key) => Array.from(key, (letter) => `\\0${letter.charCodeAt(0).toString(8).padStart(3, "0")}`).join(""), fromEscapes(8)],
  ["in escapes of hex", (key) => Array.from(key, (letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join(""), fromEscapes(16)],
  ["in decimal entities", (key) => Array.from(key, (letter) => `&#${letter.charCodeAt(0)};`).join(""), fromEntities],
  ["in entities of hex", (key) => Array.from(key, (letter) => `&#x${letter.charCodeAt(0).toString(16)};`).join(""), fromEntities],
  ["in entities without their ends", (key) => Array.from(key, (letter) => `&#${letter.charCodeAt(0)}`).join(""), fromEntities],
  ["in named entities", (key) => key.replaceAll("-", "&hyphen;").replaceAll("_", "&lowbar;"), (text) => text.replaceAll("&hyphen;", "-").replaceAll("&lowbar;", "_")],
]; // prettier-ignore

function fromEscapes(radix: 8 | 16): (text: string) => string {
  return (text) =>
    text
      .split("\\")
      .slice(1)
      .map((digits) => String.fromCharCode(Number.parseInt(digits.replace("x", ""), radix)))
      .join("");
}

function fromEntities(text: string): string {
  return text
    .split("&#")
    .slice(1)
    .map((digits) => String.fromCharCode(Number.parseInt(digits.replace(/^x/, "0x").replace(";", ""))))
    .join("");
}

function inPieces(text: string, length: number): string {
  const stream = redact.stream();
  const out: string[] = [];
  for (let at = 0; at < text.length; at += length) out.push(stream.push(text.slice(at, at + length)));
  out.push(stream.end());
  return out.join("");
}

describe.each(disguises)("a key %s", (_name, hide, show) => {
  test.each([password, vendor])("is found, also in a stream: %s", (key) => {
    const hidden = hide(key);
    // The control: whoever reads the text has the key.
    expect(show(hidden)).toBe(key);
    for (const [before, after] of [
      ["", ""],
      ["key: ", " and more"],
      ["a\n", "\nb"],
    ] as const) {
      const redacted = redact(`${before}${hidden}${after}`);
      expect(redacted).toMatch(/\*\*\*/);
      expect(redacted.length).toBeLessThan(before.length + hidden.length / 2 + after.length);
      expect(redacted.startsWith(before) && redacted.endsWith(after)).toBe(true);
      for (const length of [1, 17]) {
        const streamed = inPieces(`${before}${hidden}${after}`, length);
        expect(streamed).toMatch(/\*\*\*/);
        expect(streamed).not.toContain(hidden.slice(8, 20));
        expect(streamed).not.toContain(hidden.slice(-10));
        expect(streamed.endsWith(after)).toBe(true);
      }
    }
  });
});

/** What Debian's own programs write, run for real. */
const dumps: readonly (readonly [name: string, command: string])[] = [
  ["od", "od"],
  ["od -An", "od -An"],
  ["od -c", "od -c"],
  ["od -An -c", "od -An -c"],
  ["od -b", "od -b"],
  ["od -x", "od -x"],
  ["od -A x -t x1z", "od -A x -t x1z"],
  ["od -An -tx1", "od -An -tx1"],
  ["od -t x4", "od -t x4"],
  ["od -t x8", "od -t x8"],
  ["od -t u1", "od -t u1"],
  ["od -An -v -t d1", "od -An -v -t d1"],
  ["hexdump", "hexdump"],
  ["hexdump -C", "hexdump -C"],
  ["hexdump -c", "hexdump -c"],
  ["xxd", "xxd"],
  ["xxd -p", "xxd -p"],
  ["xxd -g1 -u", "xxd -g1 -u"],
  ["xxd -c 8", "xxd -c 8"],
];

const found = (command: string): boolean => spawnSync(command.split(" ")[0] ?? "", ["--version"]).error === undefined;

describe.each(sampled(dumps, 5).filter(([, command]) => found(command)))("the output of `%s`", (_name, command) => {
  test.each([password, vendor])("does not show a key that stands anywhere in it: %s", (key) => {
    for (const before of ["", "KEY=", "first line\nsecond: "]) {
      const [file = "", ...args] = command.split(" ");
      const dump = spawnSync(file, args, { input: `${before}${key}\nlast line of the file\n` }).stdout.toString();
      const redacted = redact(dump);
      expect([command, redacted.includes("***")]).toEqual([command, true]);
      const kept = new Set(redacted.split("\n"));
      const lost = dump.split("\n").filter((line) => !kept.has(line));
      expect(lost.length).toBeGreaterThan(0);
      // The control: without the lines that are gone nothing of the key's second half can be put together.
      const rest = dump
        .split("\n")
        .filter((line) => kept.has(line))
        .join("\n");
      expect(redact(rest)).toBe(rest);
      expect(inPieces(dump, command.length + 6)).not.toContain(lost[0]);
    }
  });

  test("is left alone where it shows no key", () => {
    const [file = "", ...args] = command.split(" ");
    const dump = spawnSync(file, args, {
      input: "an ordinary file\nwith three lines\nand nothing else in it\n",
    }).stdout.toString();
    expect(redact(dump)).toBe(dump);
  });
});

test("a dump that comes letter by letter does not show a key either", () => {
  const [file = "", ...args] = "od -A x -t x1".split(" ");
  const dump = spawnSync(file, args, { input: `${password} and ${vendor}\n` }).stdout.toString();
  const lines = dump.split("\n");
  expect(
    inPieces(dump, 1)
      .split("\n")
      .filter((line) => lines.includes(line) && line.split(" ").length > 3),
  ).toEqual([]);
});

test("no vendor's key comes through in two disguises at once", () => {
  const disguise = fc.constantFrom("\u001b[0m", "\0", "\u200b");
  fc.assert(
    fc.property(
      fc.oneof(...["Anthropic", "GitHub", "Stripe", "GitLab"].flatMap((name) => keySamples[name] ?? [])),
      disguise,
      disguise,
      (key, one, two) => {
        const hidden = Array.from(key, (letter, at) => letter + (at % 2 === 0 ? one : two)).join("");
        expect(inertText(redact(` ${hidden}`))).not.toContain(key.slice(-8));
      },
    ),
    { numRuns: runs(100) },
  );
});
