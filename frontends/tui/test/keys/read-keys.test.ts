import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { Input } from "../../src/keys/input.ts";
import { flushKeys, isWaiting, noKeys, readKeys } from "../../src/keys/read-keys.ts";

/** All that pieces come to; texts that stand next to each other are one. */
function read(...pieces: readonly string[]): readonly Input[] {
  let state = noKeys;
  const all: Input[] = [];
  for (const piece of pieces) {
    const result = readKeys(state, piece);
    state = result.state;
    all.push(...result.inputs);
  }
  all.push(...flushKeys(state).inputs);
  return all.reduce<readonly Input[]>((inputs, input) => {
    const last = inputs.at(-1);
    return input.type === "text" && last?.type === "text"
      ? [...inputs.slice(0, -1), { type: "text", text: last.text + input.text }]
      : [...inputs, input];
  }, []);
}

function chord(text: string): string {
  const [input, ...others] = read(text);
  return others.length === 0 && input?.type === "key" ? input.chord : JSON.stringify(read(text));
}

const chords: readonly (readonly [bytes: string, chord: string])[] = [
  ["\r", "enter"],
  ["\n", "ctrl+j"],
  ["\t", "tab"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
  ["\u0003", "ctrl+c"],
  ["\u0000", "ctrl+space"],
  ["\u001f", "ctrl+_"],
  ["\u001b", "escape"],
  ["\u001b\r", "alt+enter"],
  ["\u001b\u007f", "alt+backspace"],
  ["\u001bb", "alt+b"],
  ["\u001bB", "alt+shift+b"],
  ["\u001b ", "alt+space"],
  ["\u001b\u0001", "ctrl+alt+a"],
  ["\u001b[A", "up"],
  ["\u001bOA", "up"],
  ["\u001b[1;5A", "ctrl+up"],
  ["\u001b[1;3C", "alt+right"],
  ["\u001b[1;2D", "shift+left"],
  ["\u001b[1;6H", "ctrl+shift+home"],
  ["\u001bOP", "f1"],
  ["\u001b[[A", "f1"],
  ["\u001b[15~", "f5"],
  ["\u001b[24;5~", "ctrl+f12"],
  ["\u001b[3~", "delete"],
  ["\u001b[3;5~", "ctrl+delete"],
  ["\u001b[5~", "page-up"],
  ["\u001b[Z", "shift+tab"],
  ["\u001b[13u", "enter"],
  ["\u001b[13;2u", "shift+enter"],
  ["\u001b[13;5u", "ctrl+enter"],
  ["\u001b[27u", "escape"],
  ["\u001b[27;5;13~", "ctrl+enter"],
  ["\u001b[27;2;13~", "shift+enter"],
  ["\u001b[97;5u", "ctrl+a"],
  ["\u001b[97;7u", "ctrl+alt+a"],
  ["\u001b[97;5:1u", "ctrl+a"],
  ["\u001b[122;6u", "ctrl+shift+z"],
  ["\u001b[9;2u", "shift+tab"],
  ["\u001b[127;5u", "ctrl+backspace"],
  ["\u001b[57414u", "enter"],
  ["\u001b[1;1:2A", "up"],
];

test.each(chords)("%j is %s", (bytes, expected) => {
  expect(chord(bytes)).toBe(expected);
});

const others: readonly (readonly [bytes: string, inputs: readonly Input[]])[] = [
  ["hello", [{ type: "text", text: "hello" }]],
  ["漢🙂", [{ type: "text", text: "漢🙂" }]],
  ["\u001b[97u", [{ type: "text", text: "a" }]],
  ["\u001b[97;2u", [{ type: "text", text: "A" }]],
  ["\u001b[97;65u", [{ type: "text", text: "a" }]],
  ["\u001b[97;5:3u", []],
  ["\u001b[I", [{ type: "focus", isFocused: true }]],
  ["\u001b[O", [{ type: "focus", isFocused: false }]],
  ["\u001b[200~a\r\nb\rc\u001b[201~", [{ type: "paste", text: "a\nb\nc" }]],
  [
    "\u001b[200~\u001b[A\u001b[201~x",
    [
      { type: "paste", text: "\u001b[A" },
      { type: "text", text: "x" },
    ],
  ],
  ["\u001b[<0;3;4M", [{ type: "mouse", action: "press", column: 2, row: 3 }]],
  ["\u001b[<0;3;4m", [{ type: "mouse", action: "release", column: 2, row: 3 }]],
  ["\u001b[<64;1;1M", [{ type: "mouse", action: "wheel-up", column: 0, row: 0 }]],
  ["\u001b[<65;1;1M", [{ type: "mouse", action: "wheel-down", column: 0, row: 0 }]],
  ["\u001b[M !!", []],
  ["\u001b[?1u", [{ type: "reply", reply: { type: "keyboard", flags: 1 } }]],
  ["\u001b[?64;1;2c", [{ type: "reply", reply: { type: "attributes" } }]],
  ["\u001b]52;c;abc\u001b\\x", [{ type: "text", text: "x" }]],
  ["\u001bP1$r0m\u001b\\x", [{ type: "text", text: "x" }]],
  ["\u001b[9999zx", [{ type: "text", text: "x" }]],
  [
    "\u001b\u001b",
    [
      { type: "key", chord: "escape" },
      { type: "key", chord: "escape" },
    ],
  ],
];

test.each(others)("%j is read", (bytes, expected) => {
  expect(read(bytes)).toEqual(expected);
});

test("the background that a terminal reports is a part of each colour from 0 to 1", () => {
  const [input] = read("\u001b]11;rgb:ffff/0000/8080\u0007");
  expect(input).toMatchObject({ type: "reply", reply: { type: "background", red: 1, green: 0 } });
});

const sequences = fc.constantFrom(...[...chords, ...others].map(([bytes]) => bytes));
const bytes = fc
  .array(
    fc.oneof(sequences, fc.string({ unit: "binary" }), fc.constantFrom("\u001b", "[", "200~", "\u001b[201~", ";")),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""));

test("any text gives keys, and none of them holds a control character", () => {
  fc.assert(
    fc.property(bytes, (text) => {
      const typed = read(text).map((input) => (input.type === "text" ? input.text : ""));
      expect(typed.join("")).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    }),
    { numRuns: runs(2000) },
  );
});

test("however a text is cut, the keys are the same", () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((one, other) => one - other);
      const pieces = [0, ...places].map((from, at) => text.slice(from, places[at]));
      expect(read(...pieces)).toEqual(read(text));
    }),
    { numRuns: runs(2000) },
  );
});

test("a lone Escape waits for what may follow, and letters do not wait", () => {
  expect(isWaiting(readKeys(noKeys, "\u001b").state)).toBe(true);
  expect(isWaiting(readKeys(noKeys, "abc").state)).toBe(false);
  expect(isWaiting(readKeys(noKeys, "\u001b[200~half of a paste").state)).toBe(false);
});
