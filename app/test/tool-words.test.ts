import { expect, test } from "vitest";
import { splitTools, withRepeatedToolFlags } from "../src/command-line/tool-words.ts";

test("several rules behind one flag are rules, and the prompt behind them stays whole", () => {
  expect(withRepeatedToolFlags(["run", "--allowedTools", "Bash(git log:*)", "Read", "fix", "it"])).toEqual([
    "run",
    "--allowedTools",
    "Bash(git log:*)",
    "--allowedTools",
    "Read",
    "fix",
    "it",
  ]);
  expect(withRepeatedToolFlags(["--tools", "Read", "read the file"])).toEqual(["--tools", "Read", "read the file"]);
  expect(withRepeatedToolFlags(["--tools"])).toEqual(["--tools"]);
  expect(withRepeatedToolFlags(["--", "--tools", "Read", "Edit"])).toEqual(["--", "--tools", "Read", "Edit"]);
});

test("commas and spaces separate rules, but not within their parentheses", () => {
  expect(splitTools("Bash(git log:*, x),Read Edit(src/**)")).toEqual(["Bash(git log:*, x)", "Read", "Edit(src/**)"]);
  expect(splitTools(" , ")).toEqual([]);
});
