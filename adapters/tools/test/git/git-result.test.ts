import { expect, test } from "vitest";
import { readResult } from "../../src/git/git-result.ts";

const answer = { exitCode: 0, isTimedOut: false, stderr: "", isStdoutCut: false, isStderrCut: false };
const call = { type: "read", args: ["log"], paths: [], empty: "Nothing." } as const;

function read(stdout: string, outputBytes: number): { readonly content: string; readonly details?: unknown } {
  return readResult({ ...answer, stdout }, { call, workingDir: ".", outputBytes });
}

test("an output that fits is whole; a longer one begins where it began, and says that it was cut", () => {
  const stdout = `first${"x".repeat(3000)}last`;
  expect(read(stdout, 8192).content).toBe(stdout);
  const { content, details } = read(stdout, 2048);
  expect(content).toBe(`${stdout.slice(0, 1024)}\n\n... [output truncated]`);
  expect(details).toMatchObject({ stdout: stdout.slice(0, 1024), truncated_stdout: true });
});

test("a letter that does not fit whole is left out, and no sign stands for its half", () => {
  const { content } = read("é".repeat(2000), 2047);
  expect(content).toBe(`${"é".repeat(512)}\n\n... [output truncated]`);
});

test("what git does not say is said by the call, each time", () => {
  for (const time of [1, 2]) expect([time, read("\n", 2048).content]).toEqual([time, "Nothing."]);
});
