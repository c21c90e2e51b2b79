import { expect, test } from "vitest";
import { commandResult } from "../../src/run-command/command-result.ts";
import type { CapturedOutput } from "../../src/run-command/output-capture.ts";
import type { ProcessEnd } from "../../src/run-command/run-process.ts";

const output: CapturedOutput = { text: "", stdoutBytes: 0, stderrBytes: 0, truncated: false, spillPath: null };
const ended: ProcessEnd = { cause: "exited", exitCode: 137, signal: null, durationMs: 1200, leftovers: false };

test.each([
  [
    "in a sandbox, which has only numbers, 137 is the end by a signal",
    ended,
    true,
    "Exit code: 137 (1.2 s), as after the signal SIGKILL",
  ],
  ["without a sandbox 137 is a number that the command chose", ended, false, "Exit code: 137 (1.2 s)"],
  ["a usual code is a number in both", { ...ended, exitCode: 1 }, true, "Exit code: 1 (1.2 s)"],
] as const)("%s", (_, end, isCarried, first) => {
  expect(commandResult(end, output, 1000, isCarried).content).toBe(`${first}\n[no output]`);
});

test.each([
  [true, false, "[no output]\n[Processes left in the background were ended.]"],
  [true, true, "[no output]"],
  [false, false, "[no output]"],
])("processes were left: %s, and a sandbox ended them: %s", (leftovers, isCarried, rest) => {
  const { content } = commandResult({ ...ended, exitCode: 0, leftovers }, output, 1000, isCarried);
  expect(content).toBe(`Exit code: 0 (1.2 s)\n${rest}`);
});
