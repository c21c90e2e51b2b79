import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPinned } from "../../src/paths/pinned-file.ts";
import { workspaceFixture } from "../workspace-fixture.ts";

test("a file is read whole, and not beyond the limit", async () => {
  const { paths, workspace, write } = workspaceFixture();
  write("a", "12345");
  const resolved = await paths.resolve(workspace, "a", "read");
  expect((await readPinned(resolved, 5)).toString()).toBe("12345");
  await expect(readPinned(resolved, 4)).rejects.toMatchObject({ code: "file.too-large" });
});

test("a huge sparse file costs no more than the limit", async () => {
  const { paths, workspace, write } = workspaceFixture();
  truncateSync(write("sparse", ""), 2 ** 40);
  const resolved = await paths.resolve(workspace, "sparse", "read");
  await expect(readPinned(resolved, 1000)).rejects.toMatchObject({ code: "file.too-large" });
});

test("what takes the place of a resolved file is never read", async () => {
  const { base, paths, workspace, write } = workspaceFixture();
  writeFileSync(join(base, "outside"), "OUTSIDE");
  const replacements: readonly (readonly [code: string, put: (place: string) => void])[] = [
    ["path.outside", (place) => symlinkSync(join(base, "outside"), place)],
    ["path.not-a-file", (place) => execFileSync("mkfifo", [place])],
    ["path.not-a-file", (place) => execFileSync("mkdir", [place])],
    ["path.not-found", () => undefined],
    ["file.stale", (place) => writeFileSync(place, "another")],
  ];
  for (const [code, put] of replacements) {
    const place = write("dir/a", "inside");
    const resolved = await paths.resolve(workspace, "dir/a", "read");
    // Moved and not removed, so that the inode is not given to the next file.
    renameSync(place, `${place}.moved`);
    put(place);
    await expect(readPinned(resolved, 100)).rejects.toMatchObject({ code });
    rmSync(place, { recursive: true, force: true });
  }
});

test("a directory on the way that became a link is not followed", async () => {
  const { base, paths, workspace, write } = workspaceFixture();
  write("dir/sub/a", "inside");
  const resolved = await paths.resolve(workspace, "dir/sub/a", "read");
  renameSync(join(workspace.cwd, "dir"), join(base, "moved"));
  symlinkSync(join(base, "moved"), join(workspace.cwd, "dir"));
  await expect(readPinned(resolved, 100)).rejects.toMatchObject({ code: "path.outside", kind: "denied" });
});
