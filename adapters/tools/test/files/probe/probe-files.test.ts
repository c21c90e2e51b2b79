import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Staged, ToolProbeContext } from "@capstan/ports";
import type { ToolCode } from "../../../src/tool-entry.ts";
import type { Action, Finding, JsonObject } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { createApplyPatchTool } from "../../../src/apply-patch.ts";
import { createEditFileTool } from "../../../src/edit-file.ts";
import { sha, type WorkspaceFixture, workspaceFixture } from "../../workspace-fixture.ts";
import { createWriteFileTool } from "../../../src/write-file.ts";
import { quietContext } from "@capstan/testkit";

/** A call as the journal holds it when Capstan dies: judged, staged, perhaps run. */
interface Call {
  readonly tool: ToolCode;
  readonly action: Action;
  readonly staged: Staged;
}

async function begin(fixture: WorkspaceFixture, tool: ToolCode, args: JsonObject): Promise<Call> {
  const action = await fixture.prepare(tool, args);
  const staged = await fixture.stage(tool, action);
  if (staged === undefined) throw new Error(`${action.tool} stages`);
  return { tool, action, staged };
}

async function probe(
  { workspace }: WorkspaceFixture,
  call: Call,
  changes: Partial<ToolProbeContext> = {},
): Promise<Finding> {
  const context = { workspace, ...quietContext, signal: new AbortController().signal };
  const found = await call.tool.probe?.(call.action, call.staged.settle, {
    ...context,
    callId: "call-1",
    output: "",
    ...changes,
  });
  if (found === undefined) throw new Error(`${call.action.tool} probes`);
  return found;
}

function see(fixture: WorkspaceFixture, path: string, content: string): string {
  const place = fixture.write(path, content);
  fixture.known.set(place, sha(content));
  return place;
}

/** A patch that changes two files and makes a third, in a new directory. */
async function beginPatch(fixture: WorkspaceFixture): Promise<Call> {
  see(fixture, "a", "old a\n");
  see(fixture, "b", "old b\n");
  const patch = ["LP1", "F a", "T", "new a", ".", "F b", "T", "new b", ".", "F made/c", "T", "new c", ".", "END"];
  return await begin(fixture, createApplyPatchTool(fixture.options, fixture.paths), { patch: patch.join("\n") });
}

describe("a change that is in place has ended", () => {
  test.each<[string, (fixture: WorkspaceFixture) => Promise<Call>, Finding]>([
    [
      "a new file",
      async (fixture) =>
        await begin(fixture, createWriteFileTool(fixture.options, fixture.paths), { path: "n/f", content: "x\n" }),
      ended("n/f", "created", "x\n"),
    ],
    [
      "an edited file",
      async (fixture) => {
        see(fixture, "f", "one\n");
        const tool = createEditFileTool(fixture.options, fixture.paths);
        return await begin(fixture, tool, { path: "f", old_string: "one", new_string: "two" });
      },
      ended("f", "modified", "two\n"),
    ],
  ])("%s", async (_name, start, expected) => {
    const fixture = workspaceFixture();
    const call = await start(fixture);
    await fixture.run(call.tool, call.action, call.staged);
    expect(relative(fixture, await probe(fixture, call))).toEqual(expected);
    expect(relative(fixture, await probe(fixture, call))).toEqual(expected);
  });

  test("all files of a patch", async () => {
    const fixture = workspaceFixture();
    const call = await beginPatch(fixture);
    const { observed } = await fixture.run(call.tool, call.action, call.staged);
    expect(await probe(fixture, call)).toMatchObject({
      type: "ended",
      outcome: { type: "done", content: expect.stringContaining('in place in "a", "b", "made/c"') },
      changes: [
        { path: "a", kind: "modified" },
        { path: "b", kind: "modified" },
        { path: "made/c", kind: "created" },
      ],
      observed,
    });
  });

  test("the old copies that a dead process kept are removed with it; any other content stays", async () => {
    const fixture = workspaceFixture();
    const call = await beginPatch(fixture);
    await fixture.run(call.tool, call.action, call.staged);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const [copy, other] = ["1", "2"].map((digit) => `.capstan-${pid}-${digit.repeat(24)}.old`);
    fixture.write(copy ?? "", "old a\n");
    fixture.write(other ?? "", "somebody's only copy");
    expect(await probe(fixture, call)).toMatchObject({ type: "ended" });
    expect(readdirSync(fixture.workspace.cwd).toSorted()).toEqual([other, "a", "b", "made"]);
  });

  test("one that changes nothing, and a deletion", async () => {
    const fixture = workspaceFixture();
    see(fixture, "f", "same");
    const tool = createWriteFileTool(fixture.options, fixture.paths);
    const same = await begin(fixture, tool, { path: "f", content: "same", overwrite: true });
    expect(await probe(fixture, same)).toMatchObject({ type: "ended", changes: [] });
    const gone = { path: join(fixture.workspace.cwd, "gone"), before: sha("x"), after: null };
    const deletion = { ...same, staged: { ...same.staged, settle: { files: [gone] } } };
    expect(await probe(fixture, deletion)).toMatchObject({
      type: "ended",
      changes: [{ path: "gone", kind: "deleted" }],
      observed: [],
    });
  });
});

describe("a change of which nothing is there is untouched, and can still be made", () => {
  test("what the dead process had prepared is removed; what belongs to the living stays", async () => {
    const fixture = workspaceFixture();
    const call = await beginPatch(fixture);
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const [dead = "", living = ""] = [pid, process.pid].map((maker) => `.capstan-${maker}-${"0".repeat(24)}.new`);
    for (const name of [dead, living]) fixture.write(name, "prepared");
    linkSync(join(fixture.workspace.cwd, "a"), join(fixture.workspace.cwd, `.capstan-${pid}-${"1".repeat(24)}.old`));
    const finding = await probe(fixture, call);
    expect(finding).toEqual({ type: "untouched", text: expect.stringContaining('"a", "b", "made/c" as before') });
    expect(readdirSync(fixture.workspace.cwd).toSorted()).toEqual([living, "a", "b"]);
    expect(await probe(fixture, call)).toEqual(finding);
    expect(await fixture.run(call.tool, call.action, call.staged)).toMatchObject({ status: "ok" });
  });
});

describe("anything else is in doubt, and each file is named with what it is", () => {
  test.each<[string, (fixture: WorkspaceFixture) => unknown, readonly string[]]>([
    [
      "one of three is done",
      (fixture) => fixture.write("a", "old a\nnew a\n"),
      ['"a" has been changed as intended', '"b" is as before', '"made/c" is as before'],
    ],
    [
      "something else changed one",
      (fixture) => fixture.write("a", "theirs"),
      ['"a" is neither as before nor as intended', '"b" is as before'],
    ],
    ["one is gone", ({ workspace }) => rmSync(join(workspace.cwd, "a")), ['"a" is gone', '"b" is as before']],
    [
      "one is a directory now",
      ({ workspace }) => {
        rmSync(join(workspace.cwd, "a"));
        mkdirSync(join(workspace.cwd, "a"));
      },
      ['"a" is neither as before'],
    ],
    [
      "one is a link now, even to what was intended",
      (fixture) => {
        rmSync(join(fixture.workspace.cwd, "a"));
        fixture.write("elsewhere", "old a\nnew a\n");
        symlinkSync("elsewhere", join(fixture.workspace.cwd, "a"));
      },
      ['"a" is neither as before'],
    ],
    [
      "a directory on the way is a link out of the workspace now",
      ({ workspace, base }) => {
        mkdirSync(join(base, "outside"));
        writeFileSync(join(base, "outside", "c"), "new c\n");
        symlinkSync(join(base, "outside"), join(workspace.cwd, "made"));
      },
      ['"made/c" is neither as before'],
    ],
    [
      "the only copy of one was moved aside",
      ({ workspace }) =>
        renameSync(join(workspace.cwd, "a"), join(workspace.cwd, `.capstan-999999999-${"2".repeat(24)}.old`)),
      [`"a" is gone (its old content is kept beside it as ".capstan-999999999-${"2".repeat(24)}.old")`],
    ],
  ])("%s", async (_name, disturb, parts) => {
    const fixture = workspaceFixture();
    const call = await beginPatch(fixture);
    disturb(fixture);
    const before = readdirSync(fixture.workspace.cwd);
    const finding = await probe(fixture, call);
    for (const part of parts) expect(finding).toEqual({ type: "in-doubt", text: expect.stringContaining(part) });
    expect(await probe(fixture, call)).toEqual(finding);
    expect(readdirSync(fixture.workspace.cwd)).toEqual(before);
  });

  test("a file that today's workspace does not hold, or that is protected, is not read", async () => {
    const fixture = workspaceFixture();
    const call = await beginPatch(fixture);
    const other = join(fixture.base, "other");
    mkdirSync(other);
    const elsewhere = await probe(fixture, call, { workspace: { cwd: other, roots: [other] } });
    expect(elsewhere).toMatchObject({ type: "in-doubt", text: expect.stringContaining("cannot be read now") });
    const secret = { path: join(fixture.workspace.cwd, ".env"), before: sha("x"), after: sha("y") };
    const about = { ...call, staged: { ...call.staged, settle: { files: [secret] } } };
    expect(await probe(fixture, about)).toMatchObject({ text: expect.stringContaining('".env" cannot be read now') });
  });

  test("a cancelled look throws the reason", async () => {
    const fixture = workspaceFixture();
    const call = await beginPatch(fixture);
    const reason = new Error("stop");
    await expect(probe(fixture, call, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

function ended(path: string, kind: "created" | "modified", content: string): Finding {
  const reported = `Capstan was killed while this ran. It was checked since: the change is in place in "${path}".`;
  return {
    type: "ended",
    outcome: { type: "done", content: reported },
    changes: [{ path, kind, addedLines: 0, removedLines: 0 }],
    observed: [{ path, sha256: sha(content) }],
  };
}

/** Observed paths as below the workspace. */
function relative({ workspace }: WorkspaceFixture, finding: Finding): Finding {
  if (finding.type !== "ended") return finding;
  const observed = finding.observed.map((one) => ({ ...one, path: one.path.slice(workspace.cwd.length + 1) }));
  return { ...finding, observed };
}
