import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { createApplyPatchTool } from "../../src/apply-patch.ts";
import { createEditFileTool } from "../../src/edit-file.ts";
import { createReadFileTool } from "../../src/read-file.ts";
import { createWriteFileTool } from "../../src/write-file.ts";
import { workspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";

type Create = typeof createWriteFileTool;

async function governs(fixture: WorkspaceFixture, create: Create, args: JsonObject): Promise<boolean> {
  const action = await fixture.prepare(create(fixture.options, fixture.paths), args);
  return action.paths.some((use) => use.governs === true);
}

test("a file tool knows the settings of a repository without a working tree, whatever its folder is called", async () => {
  const fixture = workspaceFixture();
  const { cwd } = fixture.workspace;
  for (const folder of ["store.git", "docs"]) execFileSync("git", ["init", "-q", "--bare", join(cwd, folder)]);
  mkdirSync(join(cwd, "plain"));
  writeFileSync(join(cwd, "plain", "config"), "a=1\n");
  const write = (path: string): Promise<boolean> =>
    governs(fixture, createWriteFileTool, { path, content: "x", overwrite: true });
  for (const path of ["store.git/config", "docs/config", "docs/config.worktree", "docs/commondir"])
    expect([path, await write(path)]).toEqual([path, true]);
  expect([await write("plain/config"), await write("docs/description")]).toEqual([false, false]);
  expect(await governs(fixture, createEditFileTool, { path: "docs/config", old_string: "a", new_string: "b" })).toBe(
    true,
  );
  const patch = "*** Begin Patch\n*** Update File: docs/config\n@@\n-[core]\n+[core]\n*** End Patch";
  expect(await governs(fixture, createApplyPatchTool, { patch })).toBe(true);
  expect(await governs(fixture, createReadFileTool, { path: "docs/config" })).toBe(false);
});
