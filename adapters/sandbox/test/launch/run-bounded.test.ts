import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runBounded } from "../../src/launch/run-bounded.ts";
import { selfTestOutputBytes } from "../../src/limits.ts";
import { until } from "../support/until.ts";

const writes = (bytes: number): readonly string[] => ["-c", `head -c ${bytes} /dev/zero`];
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

test("a program's end is its exit code, its output, and the first lines of its errors", async () => {
  const script = "echo out; printf 'one\\ntwo\\nthree\\nfour\\n' >&2; exit 3";
  const ended = await runBounded("/bin/sh", ["-c", script], []);
  if (ended.type !== "ended") throw new Error(ended.reason);
  expect({ ...ended, output: textOf(ended.output) }).toEqual({
    type: "ended",
    exitCode: 3,
    output: "out\n",
    errors: "one two three",
  });
});

test("a program that a signal ended has no exit code of its own", async () => {
  expect(await runBounded("/bin/sh", ["-c", "kill -9 $$"], [])).toMatchObject({ type: "ended", exitCode: -1 });
});

test.each([
  ["does not exist", "program", "ENOENT"],
  ["lies below a file", "file/program", "ENOTDIR"],
  ["is no program", "file", "EACCES"],
])("a program that %s is reported by name and reason, each time", async (_what, name, reason) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "text", { mode: 0o644 });
  const failed = { type: "failed", reason: expect.stringContaining(`${join(folder, name)} cannot be started: spawn `) };
  const ended = await runBounded(join(folder, name), [], []);
  expect(ended).toEqual(failed);
  expect(ended).toMatchObject({ reason: expect.stringContaining(reason) });
  expect(await runBounded(join(folder, name), [], [])).toEqual(ended);
});

test("output up to the limit is kept, and one byte more ends the program", async () => {
  const whole = await runBounded("/bin/sh", writes(selfTestOutputBytes), []);
  expect(whole.type === "ended" ? whole.output.length : whole.reason).toBe(selfTestOutputBytes);
  expect(await runBounded("/bin/sh", writes(selfTestOutputBytes + 1), [])).toEqual({
    type: "failed",
    reason: "/bin/sh writes without an end",
  });
});

test("what a program leaves running in its group is ended with it", async () => {
  const folder = temporaryFolder();
  const note = join(folder, "pid");
  const script = `sleep 300 >/dev/null 2>&1 & echo $! > ${note}`;
  expect(await runBounded("/bin/sh", ["-c", script], [])).toMatchObject({ type: "ended", exitCode: 0 });
  const pid = readFileSync(note, "utf8").trim();
  await until(() => !existsSync(`/proc/${pid}`) || isZombie(pid));
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bounded-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ended, and waiting for whoever collects it. */
function isZombie(pid: string): boolean {
  return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
}
