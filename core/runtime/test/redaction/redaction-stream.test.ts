import { createRedactor } from "@capstan/runtime";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { keySamples } from "./key-samples.ts";

const known = ["hunter2-hunter2", 'a "quoted" value', "line one\nline two", "hunter2-hunter2-and-more"];
const redact = createRedactor(known);

function inPieces(text: string, lengths: readonly number[]): readonly string[] {
  const stream = redact.stream();
  const out: string[] = [];
  let at = 0;
  for (let index = 0; at < text.length; index += 1) {
    const length = lengths[index % lengths.length] ?? 1;
    out.push(stream.push(text.slice(at, at + length)));
    at += length;
  }
  out.push(stream.end());
  return out;
}

const sample = fc.oneof(...Object.values(keySamples));
const fragment = fc.oneof(
  sample,
  sample.chain((key) => fc.nat(key.length).map((length) => key.slice(0, length))),
  fc.constantFrom(...known, ...known.map((value) => JSON.stringify(value)), ...known.map(encodeURIComponent)),
  fc.constantFrom(...known).chain((value) => fc.nat(value.length).map((length) => value.slice(0, length))),
  fc.constantFrom("\n", " ", "%", "%4", "\\", "\\u00", "\r\n   ", '"', "sk", "://", "-----BEGIN "),
  fc.lorem(),
  fc.string({ maxLength: 12 }),
);
const text = fc.array(fragment, { maxLength: 8 }).map((fragments) => fragments.join(""));
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });

test("a text in pieces comes out as the same text at once, however it is cut", () => {
  fc.assert(
    fc.property(text, lengths, (whole, cuts) => {
      expect(inPieces(whole, cuts).join("")).toBe(redact(whole));
    }),
    { numRuns: 1000 },
  );
});

test("the end of a line is not held back, although nearly every letter begins some form of a value", () => {
  const stream = redact.stream();
  for (const letter of "abcdefghijklmnopqrstuvwxyz") expect(stream.push(`. ${letter}\n`)).toBe(`. ${letter}\n`);
  expect(stream.end()).toBe("");
});

test("a value that a line end cuts behind its third character is found, in pieces and at once", () => {
  const cut = "say hun\nter2-hunter2 twice";
  expect(redact(cut)).toBe("say *** twice");
  expect(inPieces(cut, [1]).join("")).toBe("say *** twice");
});

test.each(["%4a%20%22quoted%22%20value", "%0a%20%22quoted%22%20value", String.raw`\\u004a \"quoted\" value`])(
  "an escape that is cut reads as it does whole: %s",
  (whole) => {
    for (let at = 1; at < 8; at += 1) expect(inPieces(whole, [at]).join("")).toBe(redact(whole));
  },
);

test("a value in base64 that comes in pieces never comes out", () => {
  fc.assert(
    fc.property(fc.nat(2), lengths, (shift, cuts) => {
      const encoded = Buffer.from("x".repeat(shift) + known[0]).toString("base64");
      const shown = inPieces(`before ${encoded} after`, cuts).join("");
      expect(shown).toContain("***");
      expect(shown).not.toContain(encoded.slice(4, 14));
    }),
  );
});

test("ordinary words are handed on at once", () => {
  const stream = createRedactor([]).stream();
  expect(["The", " answer", " is", " forty", "-two."].map((piece) => stream.push(piece))).toEqual([
    "The",
    " answer",
    " is",
    " forty",
    "-two.",
  ]);
});

test("what waits is bounded, and the rest of a key that is too long does not come out", () => {
  const stream = redact.stream();
  const piece = "Ab3".repeat(1000);
  const out = [stream.push("sk-ant-")];
  for (let count = 0; count < 20; count += 1) out.push(stream.push(piece));
  out.push(stream.push(" after"), stream.end());
  expect(out.join("")).toBe("sk-ant-*** after");
});
