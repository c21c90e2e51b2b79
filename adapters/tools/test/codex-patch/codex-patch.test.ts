import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createApplyPatchTool } from "../../src/apply-patch.ts";
import { scenarios } from "./scenarios.ts";
import { sha, textOf, outcomeOf, type WorkspaceFixture, workspaceFixture } from "../workspace-fixture.ts";

function filesOf(workspace: WorkspaceFixture): Readonly<Record<string, string>> {
  const root = workspace.workspace.cwd;
  const entries = readdirSync(root, { recursive: true, encoding: "utf8" });
  const files = entries.filter((path) => !statSync(join(root, path)).isDirectory());
  return Object.fromEntries(files.map((path) => [path, workspace.read(path)]));
}

async function applied(workspace: WorkspaceFixture, ...body: readonly string[]): Promise<string> {
  const tool = createApplyPatchTool(workspace.options, workspace.paths);
  const patch = ["*** Begin Patch", ...body, "*** End Patch"].join("\n");
  return textOf(await workspace.call(tool, { patch }));
}

describe("a patch in the Codex form", () => {
  test.each(scenarios)("$name", async ({ before = {}, patch, after, refused }) => {
    const workspace = workspaceFixture();
    for (const [path, content] of Object.entries(before)) workspace.write(path, content);
    const tool = createApplyPatchTool(workspace.options, workspace.paths);
    const called = await workspace.call(tool, { patch: ["*** Begin Patch", ...patch, "*** End Patch"].join("\n") });
    const [code, words] = refused ?? ["", "Success. Updated the following files:\n"];
    expect(called.type === "refused" ? called.code : "").toBe(code);
    expect(textOf(called)).toContain(words);
    expect(filesOf(workspace)).toEqual(after ?? before);
  });
});

describe("around the Codex form", () => {
  const add = ["*** Begin Patch", "*** Add File: a", "+1", "*** End Patch"];
  const envelopes: Readonly<Record<string, string>> = {
    "white space around the markers": ["", " *** Begin Patch ", ...add.slice(1, -1), "  *** End Patch", "", ""].join(
      "\n",
    ),
    "a here-document": ["<<'EOF'", ...add, "EOF", ""].join("\n"),
    "a here-document without quotes": ["<<PATCH", ...add, "PATCH"].join("\n"),
    "a Markdown fence": ["```diff", ...add, "```"].join("\n"),
    CRLF: add.join("\r\n"),
  };
  for (const [name, patch] of Object.entries(envelopes)) {
    test(`${name} is accepted`, async () => {
      const workspace = workspaceFixture();
      await workspace.call(createApplyPatchTool(workspace.options, workspace.paths), { patch });
      expect(filesOf(workspace)).toEqual({ a: "1\n" });
    });
  }
  const broken: readonly (readonly [patch: string, words: string])[] = [
    ["*** Begin Patch\n*** Add File: a\n+1", "Patch line 3: The last line of the patch must be '*** End Patch'"],
    ["*** Begin Patch", "Patch line 1: The last line of the patch must be '*** End Patch'"],
    ["\n\n*** Add File: a\n+1\n*** End Patch", "Patch line 3: The first line of the patch must be '*** Begin Patch'"],
    ["*** Begin Patch\n*** Add File:\n+1\n*** End Patch", "is not a valid hunk header"],
    [
      "*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** End of File\n+3\n*** End Patch",
      "Patch line 7: Expected update hunk to start with a @@ context marker, got: '+3'",
    ],
  ];
  for (const [patch, words] of broken) {
    test(`${JSON.stringify(patch)} is refused`, async () => {
      const workspace = workspaceFixture();
      const called = await workspace.call(createApplyPatchTool(workspace.options, workspace.paths), { patch });
      expect([outcomeOf(called), textOf(called).includes(words)]).toEqual(["patch.syntax", true]);
    });
  }

  test("the answer lists what was added, changed and deleted, and shows where", async () => {
    const workspace = workspaceFixture();
    workspace.write("m", "1\n2\n3\n");
    workspace.write("d", "x\n");
    const text = await applied(
      workspace,
      "*** Delete File: d",
      "*** Update File: m",
      "@@",
      "-2",
      "+two",
      "*** Add File: a",
      "+1",
    );
    expect(text.split("\n\n")[0]).toBe("Success. Updated the following files:\nA a\nM m\nD d");
    expect(text).toContain("--- d\n+++ /dev/null");
    expect(text).toContain("-2\n+two");
  });
  test("a moved file keeps its permission bits", async () => {
    const workspace = workspaceFixture();
    chmodSync(workspace.write("run.sh", "echo\n"), 0o750);
    await applied(workspace, "*** Update File: run.sh", "*** Move to: bin/run.sh", "@@", "-echo", "+echo hi");
    expect(statSync(join(workspace.workspace.cwd, "bin/run.sh")).mode & 0o777).toBe(0o750);
  });
  test("a second patch needs no reading in between, and one that deletes neither", async () => {
    const workspace = workspaceFixture();
    await applied(workspace, "*** Add File: a", "+1");
    await applied(workspace, "*** Update File: a", "@@", "-1", "+2");
    await applied(workspace, "*** Delete File: a");
    expect(filesOf(workspace)).toEqual({});
  });
  test("what goes as a whole must be as it was read", async () => {
    const workspace = workspaceFixture();
    workspace.known.set(workspace.write("a", "mine now\n"), sha("as read\n"));
    workspace.write("b", "b\n");
    const attempts = [
      ["*** Delete File: a"],
      ["*** Add File: a", "+x"],
      ["*** Update File: b", "*** Move to: a", "@@", "-b", "+c"],
    ];
    for (const attempt of attempts) expect(await applied(workspace, ...attempt)).toContain("changed since last read");
    expect(filesOf(workspace)).toEqual({ a: "mine now\n", b: "b\n" });
    expect(await applied(workspace, "*** Update File: a", "@@", "-mine now", "+yours")).toMatch(/^Success/);
  });
  test("a link is written through, but neither deleted nor moved", async () => {
    const workspace = workspaceFixture();
    workspace.write("real", "1\n");
    mkdirSync(join(workspace.workspace.cwd, "d"));
    symlinkSync(join(workspace.workspace.cwd, "real"), join(workspace.workspace.cwd, "d/link"));
    expect(await applied(workspace, "*** Update File: d/link", "@@", "-1", "+2")).toMatch(/^Success/);
    expect(await applied(workspace, "*** Delete File: d/link")).toContain("is a link to");
    expect(await applied(workspace, "*** Update File: d/link", "*** Move to: x")).toContain("is a link to");
    expect(filesOf(workspace)).toEqual({ real: "2\n", "d/link": "2\n" });
  });
  test("a file that changes between staging and running stays", async () => {
    const workspace = workspaceFixture();
    const place = workspace.write("a", "1\n");
    const tool = createApplyPatchTool(workspace.options, workspace.paths);
    const action = await workspace.prepare(tool, { patch: "*** Begin Patch\n*** Delete File: a\n*** End Patch" });
    const staged = await workspace.stage(tool, action);
    writeFileSync(place, "2\n");
    const result = await workspace.run(tool, action, staged);
    expect([result.status, workspace.read("a")]).toEqual(["failed", "2\n"]);
  });
  test("a patch made to be slow is bounded", async () => {
    const workspace = workspaceFixture();
    workspace.write("a", `${"\n".repeat(60_000)}x\n`);
    const change = ["@@", ...Array.from({ length: 500 }, () => " "), "-y"];
    const patch = ["*** Update File: a", ...Array.from({ length: 300 }, () => change).flat()].join("\n");
    const text = await applied(workspace, patch);
    expect(text).toContain("Failed to find expected lines");
  });
});
