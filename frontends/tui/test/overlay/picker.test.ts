import { runs } from "@capstan/testkit";
import { rowText, rowWidth } from "@capstan/view";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { newPicker, type Picker, pickerFrame, pickerKey, pickerText } from "../../src/overlay/picker.ts";

const names = ["anthropic/claude-opus", "openai/gpt", "google/gemini-pro", "local/qwen"];
const picker = newPicker(
  "Models",
  names.map((name) => ({ value: name, label: name, about: "" })),
);

function after(start: Picker<string>, ...keys: readonly string[]): Picker<string> {
  return keys.reduce((now, key) => {
    const update = key.length === 1 ? pickerText(now, key) : pickerKey(now, key);
    if (update.type !== "open") throw new Error(`${key} closed it`);
    return update.picker;
  }, start);
}

test("letters in their order leave what has them, the nearest first; Enter takes the marked one", () => {
  expect(pickerKey(after(picker, "g", "p", "t"), "enter")).toEqual({ type: "chosen", value: "openai/gpt" });
  expect(pickerKey(after(picker, "g", "m", "p"), "enter")).toEqual({ type: "chosen", value: "google/gemini-pro" });
  expect(pickerKey(after(picker, "down", "down"), "enter")).toEqual({ type: "chosen", value: "google/gemini-pro" });
  expect(pickerKey(after(picker, "up"), "enter")).toEqual({ type: "chosen", value: names[0] });
});

test("where nothing fits, Enter takes nothing; the filter is taken back letter by letter; Esc closes", () => {
  const none = after(picker, "z", "z");
  expect(pickerKey(none, "enter")).toEqual({ type: "open", picker: none });
  expect(after(none, "backspace", "backspace").filter).toBe("");
  expect(pickerKey(none, "escape")).toEqual({ type: "closed" });
});

test("on any screen the marked entry and the filter are shown, and no row is too wide", () => {
  const keys = fc.array(fc.constantFrom("up", "down", "page-down", "page-up", "a", "o", "backspace"), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(keys, fc.integer({ min: 10, max: 100 }), fc.integer({ min: 6, max: 30 }), (typed, columns, rows) => {
      const now = after(picker, ...typed);
      const frame = pickerFrame(now, { columns, rows });
      expect(frame.rows.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...frame.rows.map(rowWidth))).toBeLessThanOrEqual(columns);
      expect(rowText(frame.rows[frame.caret?.row ?? -1] ?? [])).toContain("filter");
    }),
    { numRuns: runs(500) },
  );
});

test("a key of the list's own acts on the marked entry, and on none where nothing fits; the foot names it", () => {
  const acting = { ...picker, actions: [{ chord: "ctrl+r", key: "^R", label: "renames" }] };
  expect(pickerKey(after(acting, "down"), "ctrl+r")).toEqual({ type: "chosen", value: names[1], action: "ctrl+r" });
  const none = after(acting, "z", "z");
  expect(pickerKey(none, "ctrl+r")).toEqual({ type: "open", picker: none });
  expect(pickerKey(picker, "ctrl+r")).toEqual({ type: "open", picker });
  const foot = pickerFrame(acting, { columns: 40, rows: 10 }).rows.at(-1) ?? [];
  expect(rowText(foot)).toMatch(/^\^R renames · Enter takes/);
});
