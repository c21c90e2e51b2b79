import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "@capstan/protocol";
import { createListDirectoryTool } from "../../src/directory/list-directory.ts";
import { outcomeOf, textOf, type WorkspaceFixture, workspaceFixture } from "../workspace-fixture.ts";

function tree(): { readonly fixture: WorkspaceFixture; readonly list: (args?: JsonObject) => Promise<string> } {
  const fixture = workspaceFixture();
  for (const path of ["b.txt", "src/a.ts", "src/deep/er/c.ts", ".hidden", "dist/out.js", ".git/config"])
    fixture.write(path, "x\n");
  fixture.write(".gitignore", "dist\n");
  const tool = createListDirectoryTool(fixture.options, fixture.paths);
  return { fixture, list: async (args = {}) => textOf(await fixture.call(tool, args)) };
}

test("a directory is listed, directories with a slash, what git ignores included", async () => {
  const { list } = tree();
  expect(await list()).toBe([".git/", ".gitignore", ".hidden", "b.txt", "dist/", "src/"].join("\n"));
  expect(await list({ path: "src" })).toBe("a.ts\ndeep/");
});

test("levels go as deep as asked, but not into what git ignores", async () => {
  const { list } = tree();
  const two = [".git/", ".gitignore", ".hidden", "b.txt", "dist/", "src/", "src/a.ts", "src/deep/"];
  expect(await list({ depth: 2 })).toBe(two.join("\n"));
  expect(await list({ depth: 20 })).toBe([...two, "src/deep/er/", "src/deep/er/c.ts"].join("\n"));
});

test("a long listing comes in parts, each saying how to continue", async () => {
  const { list } = tree();
  expect(await list({ limit: 2 })).toBe(".git/\n.gitignore\n[entries 1 to 2 of 6: continue with offset 3]");
  expect(await list({ limit: 2, offset: 3 })).toContain(".hidden\nb.txt\n[entries 3 to 4 of 6:");
  expect(await list({ limit: 2, offset: 5 })).toBe("dist/\nsrc/");
  expect(await list({ offset: 50 })).toBe("(there are 6 entries)");
});

test("globs leave names out at every level", async () => {
  const { list } = tree();
  expect(await list({ path: "src", depth: 9, ignore: ["*.ts"] })).toBe("deep/\ndeep/er/");
  expect(await list({ path: "src", depth: 9, ignore: ["deep"] })).toBe("a.ts");
});

test("a link is named, not followed; an empty directory says so", async () => {
  const { fixture, list } = tree();
  symlinkSync("/etc", join(fixture.workspace.cwd, "src/out"));
  expect(await list({ path: "src", depth: 5, ignore: ["deep"] })).toBe("a.ts\nout (link)");
  expect(await list({ path: "dist", ignore: ["*"] })).toBe("(empty)");
});

test("files, places outside and unreadable globs are refused", async () => {
  const { fixture } = tree();
  const tool = createListDirectoryTool(fixture.options, fixture.paths);
  const codes = [{ path: "b.txt" }, { path: ".." }, { path: "none" }, { ignore: ["["] }].map(async (args) =>
    outcomeOf(await fixture.call(tool, args)),
  );
  expect(await Promise.all(codes)).toEqual(["path.not-a-file", "path.outside", "path.not-found", "tool.bad-arguments"]);
});
