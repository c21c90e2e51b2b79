import { mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReadFileTool } from "../src/read-file.ts";
import { createWriteFileTool } from "../src/write-file.ts";
import { outcomeOf, sha, textOf, workspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";

type Call = (args: { readonly [key: string]: string | boolean }) => ReturnType<WorkspaceFixture["call"]>;

function writer(): { readonly fixture: WorkspaceFixture; readonly write: Call; readonly read: Call } {
  const fixture = workspaceFixture();
  const [write, read] = [
    createWriteFileTool(fixture.options, fixture.paths),
    createReadFileTool(fixture.options, fixture.paths),
  ];
  return {
    fixture,
    write: async (args) => await fixture.call(write, args),
    read: async (args) => await fixture.call(read, args),
  };
}

test("creates a file and its directories, and knows it afterwards", async () => {
  const { fixture, write } = writer();
  expect(await write({ path: "src/new/a.ts", content: "one\ntwo\n" })).toEqual({
    type: "result",
    result: {
      status: "ok",
      content: "Created src/new/a.ts (2 lines).",
      changes: [
        {
          path: "src/new/a.ts",
          kind: "created",
          addedLines: 2,
          removedLines: 0,
          diff: "--- /dev/null\n+++ b/src/new/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n",
        },
      ],
      observed: [{ path: join(fixture.workspace.cwd, "src/new/a.ts"), sha256: sha("one\ntwo\n") }],
    },
  });
  expect(fixture.read("src/new/a.ts")).toBe("one\ntwo\n");
  expect(outcomeOf(await write({ path: "src/new/a.ts", content: "x", overwrite: true }))).toBe(
    "Overwrote src/new/a.ts (1 line).",
  );
});

test("an existing file is only overwritten when asked to, and only as it was read", async () => {
  const { fixture, write, read } = writer();
  fixture.write("a", "old\n");
  expect(outcomeOf(await write({ path: "a", content: "new\n" }))).toBe("file.exists");
  expect(outcomeOf(await write({ path: "a", content: "new\n", overwrite: true }))).toBe("file.not-read");
  await read({ path: "a" });
  fixture.write("a", "changed by somebody\n");
  expect(outcomeOf(await write({ path: "a", content: "new\n", overwrite: true }))).toBe("file.stale");
  expect(fixture.read("a")).toBe("changed by somebody\n");
  await read({ path: "a" });
  expect(outcomeOf(await write({ path: "a", content: "new\n", overwrite: true }))).toBe("Overwrote a (1 line).");
  expect(fixture.read("a")).toBe("new\n");
});

test("the same content is not written again", async () => {
  const { fixture, write, read } = writer();
  const before = statSync(fixture.write("a", "same\n"), { bigint: true });
  await read({ path: "a" });
  const called = await write({ path: "a", content: "same\n", overwrite: true });
  expect(called).toMatchObject({
    result: { status: "ok", content: "a already has exactly this content; nothing was written.", changes: [] },
  });
  expect(statSync(join(fixture.workspace.cwd, "a"), { bigint: true }).ino).toBe(before.ino);
});

test("staging says what would change, and changes nothing", async () => {
  const { fixture } = writer();
  const tool = createWriteFileTool(fixture.options, fixture.paths);
  const action = await fixture.prepare(tool, { path: "a", content: "x\n" });
  const staged = await fixture.stage(tool, action);
  expect(staged).toMatchObject({
    settle: { files: [{ path: join(fixture.workspace.cwd, "a"), before: null, after: sha("x\n") }] },
    proposal: "Proposed for review, not applied: Created a (1 line).",
    changes: [{ path: "a", kind: "created", addedLines: 1, removedLines: 0 }],
  });
  expect(() => fixture.read("a")).toThrow("ENOENT");
});

test("a file that appears between staging and running is kept", async () => {
  const { fixture } = writer();
  const tool = createWriteFileTool(fixture.options, fixture.paths);
  const action = await fixture.prepare(tool, { path: "a", content: "ours" });
  const staged = await fixture.stage(tool, action);
  fixture.write("a", "theirs");
  expect(await fixture.run(tool, action, staged)).toMatchObject({ status: "failed", code: "file.stale" });
  expect(fixture.read("a")).toBe("theirs");
});

test("what must not be written is refused before anything runs", async () => {
  const { fixture, write } = writer();
  mkdirSync(join(fixture.workspace.cwd, "dir"));
  symlinkSync(join(fixture.base, "nothing"), join(fixture.workspace.cwd, "dangling"));
  const cases: readonly (readonly [path: string, code: string])[] = [
    ["dir", "path.not-a-file"],
    ["dir/", "path.not-a-file"],
    ["new/", "path.invalid"],
    ["../out", "path.outside"],
    ["dangling", "path.outside"],
    ["sub/.git/hooks/pre-commit", "path.denied"],
    ["a\u001b]0;x\u0007", "path.invalid"],
  ];
  for (const [path, code] of cases) {
    const called = await write({ path, content: "x" });
    expect([path, called.type, outcomeOf(called)]).toEqual([path, "refused", code]);
  }
  expect(outcomeOf(await write({ path: "big", content: "x".repeat(1024 * 1024 + 1) }))).toBe("file.too-large");
});

test("names that are odd but legal are written as they are", async () => {
  const { fixture, write } = writer();
  for (const name of [
    "🦆 file.txt",
    "-rf",
    "$(touch x)",
    "a'b\"c",
    "[x]{y}*?",
    "..a",
    "...b",
    "%41",
    "name:with:colons",
  ]) {
    expect(textOf(await write({ path: name, content: name }))).toBe(`Created ${name} (1 line).`);
    expect(fixture.read(name)).toBe(name);
  }
});

test("the summary says what is done to which place, through which link", async () => {
  const { fixture } = writer();
  const tool = createWriteFileTool(fixture.options, fixture.paths);
  mkdirSync(join(fixture.workspace.cwd, "real"));
  symlinkSync("real", join(fixture.workspace.cwd, "link"));
  const action = await fixture.prepare(tool, { path: "link/a", content: "one\n" });
  expect(action).toMatchObject({
    arguments: { path: "link/a", content: "one\n", overwrite: false },
    risk: "medium",
    paths: [{ real: join(fixture.workspace.cwd, "real/a"), shown: "real/a", access: "write" }],
    summary: "Create real/a (1 line, 4 bytes) (written link/a)",
  });
});
