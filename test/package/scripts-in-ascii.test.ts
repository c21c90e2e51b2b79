import { isAscii } from "node:buffer";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";
import { expect, inject, test } from "vitest";
import { inAscii } from "../../scripts/bundle/write-script.ts";

test("every script of the built program is ASCII: V8 keeps it with one byte for a letter", () => {
  const folder = dirname(inject("capstanEntry"));
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((name) => !isAscii(readFileSync(join(folder, name))))).toEqual([]);
});

test("what a bundle says in other letters it says in ASCII", () => {
  const { word, pattern }: { word: string; pattern: RegExp } = runInThisContext(
    inAscii('({ word: "größer 😀", pattern: /^[⟨⟩…][^ä-ü]😀{2}$/u })'),
  );
  expect(word).toBe("größer 😀");
  expect(["…x😀😀", "⟨x😀😀"].every((text) => pattern.test(text))).toBe(true);
  expect(["…ö😀😀", "…x😀"].some((text) => pattern.test(text))).toBe(false);
});

test.each(["/\\…/", "String.raw`a…`"])("what would not mean the same fails the build: %s", (code) => {
  expect(() => inAscii(code)).toThrow("outside of ASCII");
});
