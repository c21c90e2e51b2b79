import type { SandboxReport, ToolResult } from "@capstan/ports";
import { expect, test } from "vitest";
import { confinedResult } from "../../../src/run-command/confine/confined-result.ts";

const quiet: SandboxReport = { refusedHosts: [], runsLater: [], quarantined: [] };
const box = { type: "sandbox", workspace: "write", hosts: [], writable: [] } as const;
const bubblewrap = "Exit code: 1 (0.0 s)\nbwrap: Can't mount proc\n";

function confined(content: string, exitCode: number | null, stdoutBytes: number, report = quiet): ToolResult {
  const result: ToolResult = { status: "ok", content, details: { exitCode, stdoutBytes } };
  return confinedResult(result, report, box, { home: "/home/ada", opened: [] });
}

test("a sandbox that could not be made is no command that failed: nothing was run", () => {
  expect(confined(bubblewrap, 1, 0)).toEqual({
    status: "failed",
    code: "sandbox.failed",
    content: "The sandbox could not be made: bwrap: Can't mount proc The command was not run; it is not tried outside.",
  });
});

test.each<[string, string, number | null, number]>([
  ["another exit code", bubblewrap, 2, 0],
  ["no exit code", bubblewrap, null, 0],
  ["standard output before", bubblewrap, 1, 1],
  ["more lines", `${bubblewrap}more\n`, 1, 0],
  ["a line before", "Exit code: 1 (0.0 s)\nfirst\nbwrap: Can't mount proc\n", 1, 0],
  ["the name in a sentence", "Exit code: 1 (0.0 s)\nno bwrap: here\n", 1, 0],
])("a command with %s ran, and its result is its own", (_what, content, exitCode, stdoutBytes) => {
  expect(confined(content, exitCode, stdoutBytes)).toEqual({
    status: "ok",
    content,
    details: { exitCode, stdoutBytes },
  });
});

test("what a command left or wanted is said at the end, and is in the details where there is some", () => {
  const report: SandboxReport = {
    refusedHosts: ["a.example:443"],
    runsLater: ["the hook .git/hooks/x"],
    quarantined: [{ path: ".envrc", id: "q1" }],
  };
  const { content, details } = confined("Exit code: 0 (0.1 s)\ndone\n", 0, 5, report);
  expect(content.split("\n").slice(0, 2)).toEqual(["Exit code: 0 (0.1 s)", "done"]);
  for (const part of ["the hook .git/hooks/x", ".envrc"]) expect(content).toContain(part);
  expect(details).toMatchObject({ refusedHosts: ["a.example:443"], runsLater: ["the hook .git/hooks/x"] });
  expect(details).toHaveProperty("quarantined");
});

test("a result without details, of what was never started, stays as it is", () => {
  const result: ToolResult = { status: "failed", code: "tool.failed", content: "bwrap: x" };
  expect(confinedResult(result, quiet, box, { home: "/home/ada", opened: [] })).toBe(result);
});
