import { expect, test } from "vitest";
import { readSlash, slashCommands, slashesFor } from "../../src/commands/slash-commands.ts";

test("a word after / is a command with what follows it; a path or a text is none", () => {
  expect(readSlash("/model anthropic/x ")).toEqual({ type: "command", name: "model", rest: "anthropic/x" });
  expect(readSlash("/clear")).toEqual({ type: "command", name: "new", rest: "" });
  expect(readSlash("/MODE plan")).toEqual({ type: "command", name: "mode", rest: "plan" });
  expect(readSlash("/usr/bin/env is missing")).toBeNull();
  expect(readSlash("see /model")).toBeNull();
  expect(readSlash(" /model")).toBeNull();
});

test("an unknown one names the nearest, and nothing where none is near", () => {
  expect(readSlash("/modle")).toEqual({ type: "unknown", word: "modle", nearest: "mode" });
  expect(readSlash("/sesions")).toEqual({ type: "unknown", word: "sesions", nearest: "sessions" });
  expect(readSlash("/xyzzyplugh")).toMatchObject({ nearest: null });
});

test("every command is offered by its own name first, and has a line that says what it does", () => {
  for (const { name, about } of slashCommands) {
    expect(slashesFor(name)[0]?.name).toBe(name);
    expect(about).not.toBe("");
  }
  expect(slashesFor("se").map(({ name }) => name)).toEqual(["sessions", "settings"]);
  expect(slashesFor("ses").map(({ name }) => name)).toEqual(["sessions"]);
});
