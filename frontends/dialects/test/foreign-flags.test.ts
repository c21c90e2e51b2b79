import { AppError } from "@capstan/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readClaudeCommand } from "../src/claude/claude-flags.ts";
import { readCodexCommand } from "../src/codex/codex-flags.ts";
import { readTedCommand } from "../src/ted/ted-flags.ts";

test("what the Claude Agent SDK passes is understood, joined or not, and nothing of it is left out", () => {
  const joined = ["--model=m", "--resume=ID", "--max-turns=3", "--allowedTools=Bash(ls:*),Read", "--add-dir=/tmp"];
  const apart = [
    "--mcp-config",
    "{}",
    "--permission-prompt-tool=stdio",
    "--fork-session",
    "--include-partial-messages",
  ];
  const command = readClaudeCommand(["--output-format", "stream-json", "--verbose", ...joined, ...apart]);
  expect(command).toMatchObject({
    model: "m",
    resume: "ID",
    maxTurns: "3",
    allowedTools: ["Bash(ls:*),Read"],
    addDirectories: ["/tmp"],
    mcpConfigs: ["{}"],
    asks: true,
    fork: true,
    partial: true,
    warnings: [],
  });
  expect(readClaudeCommand(["--fancy=1", "--other", "word"]).warnings).toHaveLength(3);
});

test("what the Codex SDK passes is understood, with the flags that come after `resume ID`", () => {
  const config = [
    "--config",
    'model_reasoning_effort="high"',
    "--config",
    "sandbox_workspace_write.network_access=false",
  ];
  const args = ["--experimental-json", ...config, "--sandbox", "workspace-write", "resume", "ID", "--image", "a.png"];
  expect(readCodexCommand(args)).toEqual({
    resume: { id: "ID" },
    effort: "high",
    sandbox: "workspace-write",
    images: ["a.png"],
    addDirectories: [],
    sets: [],
    warnings: [],
  });
  expect(() => readCodexCommand(["resume"])).toThrow("needs the id");
  expect(() => readCodexCommand(["--sandbox", "none"])).toThrow("expected read-only");
  expect(() => readCodexCommand(["two", "prompts"])).toThrow("one argument");
});

test("whatever stands on a command line is read, or refused in words", () => {
  const words = fc.array(fc.oneof(fc.string(), fc.constantFrom("--model", "--config", "--", "-c", "resume", "--x=")));
  const readers: readonly ((args: readonly string[]) => object)[] = [
    readClaudeCommand,
    readCodexCommand,
    readTedCommand,
  ];
  fc.assert(
    fc.property(words, fc.constantFrom(...readers), (args, read) => {
      expect(["read", "usage.invalid"]).toContain(codeOf(read, args));
    }),
    { numRuns: 200 },
  );
});

/** How a command line is taken. */
function codeOf(read: (args: readonly string[]) => object, args: readonly string[]): unknown {
  try {
    read(args);
    return "read";
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

test("a misspelt flag of Codex is an error that names the one meant, and one of a later version is left out", () => {
  for (const line of [
    ["--imge", "x"],
    ["--imaage", "x"],
    ["--sandbux", "x"],
  ])
    expect(() => readCodexCommand(line)).toThrow(/unknown option '--\w+' \(did you mean --\w+\?\)/);
  expect(readCodexCommand(["--fancy", "go"])).toMatchObject({
    prompt: "go",
    warnings: ["--fancy means nothing here and is left out"],
  });
});
