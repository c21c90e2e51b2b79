import { describe, expect, test } from "vitest";
import { keyHelp } from "../../src/input/key-help.ts";
import { defaultKeys } from "../../src/keys/key-actions.ts";
import { chordsShown, type Keymap, keyActions, keymapOf } from "../../src/keys/keymap.ts";

describe("without a word of the user", () => {
  const keymap = keymapOf();

  test("every action has its own chords, and no chord is two actions'", () => {
    for (const action of keyActions) for (const chord of defaultKeys[action]) expect(keymap.get(chord)).toBe(action);
    expect(keymap.size).toBe(Object.values(defaultKeys).flat().length);
  });

  test("help names every chord once, as people write it", () => {
    const heads = keyHelp(keymap).map(([keys]) => keys);
    expect(heads).toContain("Ctrl-Enter, Ctrl-S");
    expect(heads).toContain("Page-Up");
    expect(heads.filter((head) => head.includes("Ctrl-_"))).toHaveLength(1);
  });
});

test("the chords of the user are all that an action has, and they are taken from others", () => {
  const keymap = keymapOf({ steer: ["alt+s"], transcript: ["ctrl+s", "F2"], suspend: [] });
  expect(keymap.get("alt+s")).toBe("steer");
  expect(keymap.get("ctrl+enter")).toBeUndefined();
  expect(chordsShown(keymap, "transcript")).toEqual(["Ctrl-S", "F2"]);
  expect(keymap.get("ctrl+o")).toBeUndefined();
  expect(keymap.get("ctrl+z")).toBeUndefined();
  expect(keyHelp(keymap).map(([, about]) => about)).not.toContain("stop Capstan; the shell's fg continues it");
});

test("a chord that is only taken by an action with other chords leaves these where they are", () => {
  const keymap = keymapOf({ yank: "ctrl+b" });
  expect(keymap.get("ctrl+b")).toBe("yank");
  expect(keymap.get("left")).toBe("left");
  expect(keymap.get("ctrl+y")).toBeUndefined();
});

test("however a chord is written, it is the one that the terminal sends", () => {
  const written = ["SHIFT+Alt+Ctrl+PgUp", "esc", "Control+Return", "meta+del", "ctrl++", "alt+space", "ctrl+ü"];
  expect(chordsOf(keymapOf({ help: written }), "help")).toEqual([
    "alt+delete",
    "alt+space",
    "ctrl++",
    "ctrl+alt+shift+page-up",
    "ctrl+enter",
    "ctrl+ü",
    "escape",
  ]);
});

function chordsOf(keymap: Keymap, action: string): readonly string[] {
  return [...keymap].flatMap(([chord, named]) => (named === action ? [chord] : [])).toSorted();
}

test.each([
  [{ steer: ["ctrl+k"], tasks: ["Ctrl+K"] }, "keys.steer and keys.tasks both have ctrl+k"],
  [{ steer: ["k"] }, 'keys.steer: "k" is what people type'],
  [{ steer: ["shift+k"] }, 'keys.steer: "shift+k" is what people type'],
  [{ steer: "space" }, 'keys.steer: "space" is what people type'],
  [{ steer: ["ctrl+entr"] }, 'keys.steer: "ctrl+entr" names no key'],
  [{ steer: ["hyper+k"] }, 'keys.steer: "hyper+k" names no key'],
  [{ steer: [""] }, 'keys.steer: "" names no key'],
  [{ steer: [7] }, "keys.steer: expected chords"],
  [{ steer: true }, "keys.steer: expected chords"],
])("%j is refused: %s", (table, message) => {
  expect(() => keymapOf(table)).toThrow(message);
});
