import * as fc from "fast-check";
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import type { Input } from "../../src/keys/input.ts";
import { flushKeys, isWaiting, type KeyState, noKeys, pasteCharacters, readKeys } from "../../src/keys/read-keys.ts";
import { shownInputs, terminalSequences } from "./terminal-sequences.ts";

test.each(terminalSequences)("%j is %s", (sent, inputs) => {
  const { state, inputs: read } = readKeys(noKeys, sent);
  expect(shownInputs(read)).toBe(inputs);
  expect(state).toEqual(noKeys);
});

/** Whatever a terminal may send, and what no terminal sends. */
const pieces = fc.oneof(
  fc.constantFrom(...terminalSequences.map(([sent]) => sent)),
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.string({
    unit: fc.constantFrom("\u001b", "[", "O", "]", "P", "1", "5", ";", ":", "?", "<", "~", "u", "M", "A", "\\"),
  }),
  fc.constantFrom("\u001b[200~", "\u001b[201~", "\u001b[201", "\r\n", "\ud83d", "\ude00", "漢字", "e\u0301"),
);
const sent = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));

test("every text is read, and however it is cut, the same inputs come out", () => {
  fc.assert(
    fc.property(sent, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
      const whole = readKeys(noKeys, text);
      const parts = cutAt(text, cuts);
      expect(readAll(parts)).toEqual({ state: whole.state, inputs: joined(whole.inputs) });
    }),
    { numRuns: runs(3000) },
  );
});

test("each sequence is read alike in one piece and letter by letter", () => {
  for (const [text] of terminalSequences)
    expect([text, readAll(text.split("")).inputs]).toEqual([text, joined(readKeys(noKeys, text).inputs)]);
});

test("no input holds half a character, and no text a control character", () => {
  fc.assert(
    fc.property(sent, (text) => {
      const { state, inputs } = readKeys(noKeys, text);
      for (const input of [...inputs, ...flushKeys(state).inputs]) {
        expect(JSON.stringify(input)).not.toMatch(/\\ud[89a-f]/);
        const typed = input.type === "text" ? input.text : "typed";
        expect(typed).not.toBe("");
        // oxlint-disable-next-line no-control-regex -- that there is none is the promise
        expect(typed).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }
    }),
    { numRuns: runs(2000) },
  );
});

test("characters that were typed together come as one text", () => {
  expect(readKeys(noKeys, "ab\u001b[Acd漢").inputs).toEqual([
    { type: "text", text: "ab" },
    { type: "key", chord: "up" },
    { type: "text", text: "cd漢" },
  ]);
});

test("Escape by itself waits, and is a key when nothing follows; a second one as well", () => {
  const first = readKeys(noKeys, "\u001b");
  expect(first.inputs).toEqual([]);
  expect(isWaiting(first.state)).toBe(true);
  const second = flushKeys(first.state);
  expect(shownInputs(second.inputs)).toBe("escape");
  expect(isWaiting(second.state)).toBe(false);
  const again = readKeys(second.state, "\u001b");
  expect(shownInputs(flushKeys(again.state).inputs)).toBe("escape");
});

test.each([
  ["\u001b[", "alt+["],
  ["\u001bO", "alt+shift+o"],
  ["\u001bP", "alt+shift+p"],
  ["\u001b]", "alt+]"],
  ["\u001b\u001b", "escape escape"],
])("%j and nothing more is %s", (text, chords) => {
  const { state, inputs } = readKeys(noKeys, text);
  expect(shownInputs([...inputs, ...flushKeys(state).inputs])).toBe(chords);
});

test.each(["\u001b]11;rgb:ffff/", "\u001b[?6", "\u001b[1;", "\u001bP>|term"])(
  "the first half of %j never reaches the draft, however late the rest comes",
  (half) => {
    const first = readKeys(noKeys, half);
    expect(isWaiting(first.state)).toBe(false);
    expect(flushKeys(first.state)).toEqual({ state: first.state, inputs: [] });
    const rest = half.startsWith("\u001b[") ? "c" : "ffff/ffff\u001b\\";
    const second = readKeys(first.state, rest);
    expect(second.state).toEqual(noKeys);
    expect(second.inputs.filter(({ type }) => type === "text")).toEqual([]);
  },
);

test("an answer that never ends is given up at the next control character", () => {
  expect(shownInputs(readKeys(noKeys, "\u001b]11;rgb:12\u0003after").inputs)).toBe('ctrl+c "after"');
});

test("a paste is one input, whatever stands in it and however many reads it takes", () => {
  const content = "one\r\ntwo\rthree\u001b[A\u001b[20\u0003 漢";
  const parts = `\u001b[200~${content}\u001b[201~x`.split("");
  expect(readAll(parts).inputs).toEqual([
    { type: "paste", text: "one\ntwo\nthree\u001b[A\u001b[20\u0003 漢" },
    { type: "text", text: "x" },
  ]);
});

test("a paste beyond the limit comes in several that are whole together", () => {
  const content = `${"x".repeat(pasteCharacters - 1)}\r\n${"y".repeat(pasteCharacters)}z`;
  const text = `\u001b[200~${content}\u001b[201~`;
  const { state, inputs } = readKeys(noKeys, text);
  expect(state).toEqual(noKeys);
  expect(inputs.length).toBe(3);
  expect(joined(inputs)).toEqual([{ type: "paste", text: content.replace("\r\n", "\n") }]);
  expect(readAll(cutAt(text, [5_000_000, pasteCharacters + 6, 9_000_000])).inputs).toEqual(joined(inputs));
});

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((one, other) => one - other), text.length];
  return at.slice(1).map((end, index) => text.slice(at[index], end));
}

function readAll(parts: readonly string[]): { readonly state: KeyState; readonly inputs: readonly Input[] } {
  let state = noKeys;
  const inputs: Input[] = [];
  for (const part of parts) {
    const read = readKeys(state, part);
    state = read.state;
    inputs.push(...read.inputs);
  }
  return { state, inputs: joined(inputs) };
}

/** Texts, and the parts of a paste, that stand next to each other as one. */
function joined(inputs: readonly Input[]): readonly Input[] {
  const all: Input[] = [];
  for (const input of inputs) {
    const last = all.at(-1);
    if ((input.type === "text" || input.type === "paste") && last?.type === input.type)
      all[all.length - 1] = { type: input.type, text: last.text + input.text };
    else all.push(input);
  }
  return all;
}
