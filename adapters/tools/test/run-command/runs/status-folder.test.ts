import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { statusKeptMs } from "../../../src/run-command/limits.ts";
import { mintRunId, readRunId } from "../../../src/run-command/runs/run-id.ts";
import { StatusFolder } from "../../../src/run-command/runs/status-folder.ts";

function place(): string {
  const made = mkdtempSync(join(tmpdir(), "capstan-runs-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return join(made, "runs");
}

const running = { type: "running", digest: "d", pid: 7, startTicks: 3, bootId: "b" } as const;
const exited = { type: "exited", digest: "d", cause: "exited", exitCode: 0, signal: null, durationMs: 5 } as const;

test("runs long past are removed, the only one there is as well; younger ones and others' files stay", async () => {
  const folder = place();
  const statuses = new StatusFolder(folder);
  await statuses.prune(0);
  statuses.open();
  const now = 2 * statusKeptMs;
  const [young, old] = [mintRunId(now - statusKeptMs), mintRunId(now - statusKeptMs - 1)];
  writeFileSync(join(folder, `${old}.jsonl`), "");
  await statuses.prune(now);
  expect(readdirSync(folder)).toEqual([]);
  const names = [`${young}.jsonl`, `${old}.jsonl`, "notes.txt", `${old}.jsonl.bak`];
  for (const name of names) writeFileSync(join(folder, name), "");
  await statuses.prune(now);
  expect(readdirSync(folder).toSorted()).toEqual(names.filter((name) => name !== `${old}.jsonl`).toSorted());
});

test("the last whole line says how far a run had come, and a line that was cut off says nothing", () => {
  const folder = place();
  const statuses = new StatusFolder(folder);
  const id = mintRunId(1);
  expect(statuses.read(id)).toEqual({ type: "lost" });
  statuses.open();
  expect(statuses.read(id)).toEqual({ type: "missing" });
  const [first, second] = [JSON.stringify(running), JSON.stringify(exited)];
  const read = (text: string): unknown => {
    writeFileSync(join(folder, `${id}.jsonl`), text);
    return statuses.read(id);
  };
  expect(read(`${first}\n`)).toEqual(running);
  expect(read(`${first}\n${second}\n`)).toEqual(exited);
  expect(read(`${first}\n${second}`)).toEqual(running);
  for (const text of ["", first, "{}\n", "text\n"]) expect([text, read(text)]).toEqual([text, { type: "unreadable" }]);
});

test.each<[string, object]>([
  ["no digest", { ...running, digest: 1 }],
  ["another kind", { ...running, type: "dreaming" }],
  ["a process below 0", { ...running, pid: -1 }],
  ["half a tick", { ...running, startTicks: 0.5 }],
  ["a boot that is a number", { ...running, bootId: 1 }],
  ["another cause", { ...exited, cause: "bored" }],
  ["no duration", { ...exited, durationMs: null }],
  ["a code that is text", { ...exited, exitCode: "0" }],
  ["a signal that is a number", { ...exited, signal: 9 }],
])("a status with %s is none", (_what, status) => {
  const folder = place();
  const statuses = new StatusFolder(folder);
  statuses.open();
  const id = mintRunId(1);
  writeFileSync(join(folder, `${id}.jsonl`), `${JSON.stringify(status)}\n`);
  expect(statuses.read(id)).toEqual({ type: "unreadable" });
});

test("what is not a plain file of ours is not read, and a second file of one name is not made", () => {
  const folder = place();
  const statuses = new StatusFolder(folder);
  statuses.open();
  const [link, directory] = [mintRunId(1), mintRunId(2)];
  writeFileSync(join(folder, "other"), `${JSON.stringify(exited)}\n`);
  symlinkSync("other", join(folder, `${link}.jsonl`));
  mkdirSync(join(folder, `${directory}.jsonl`));
  for (const id of [link, directory]) expect(statuses.read(id)).toEqual({ type: "unreadable" });
  expect(() => statuses.create(link)).toThrow("EEXIST");
});

test("a run's id says when it was made, and nothing else is one", () => {
  expect(readRunId(mintRunId(1234))?.mintedAtMs).toBe(1234);
  const id = mintRunId(1234);
  const others = ["", "../x", `${id}0`, `/${id}`, id.toUpperCase(), id.slice(0, -1), `x${"0".repeat(9)}${id}`];
  expect(others.filter((text) => readRunId(text) !== undefined)).toEqual([]);
});
