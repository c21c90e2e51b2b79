import { closeSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { FileReplacement } from "../../../src/files/commit/file-replacement.ts";
import { PinnedDirectory } from "../../../src/paths/pinned-directory.ts";
import { sha, workspaceFixture, type WorkspaceFixture } from "../../workspace-fixture.ts";

interface Replacing {
  readonly fixture: WorkspaceFixture;
  readonly parent: PinnedDirectory;
  readonly replacement: FileReplacement;
}

/** A real file, `old` in it, on its way to `new`. */
async function replacing(): Promise<Replacing> {
  const fixture = workspaceFixture();
  fixture.write("file", "old");
  const parent = PinnedDirectory.open(fixture.workspace.cwd);
  onTestFinished(() => parent.close());
  const resolved = await fixture.paths.resolve(fixture.workspace, "file", "write");
  const edit = { resolved, before: sha("old"), content: Buffer.from("new") };
  return { fixture, parent, replacement: new FileReplacement(edit, parent) };
}

test("the new content is flushed to disk before it takes the place of the old one", async () => {
  const { fixture, parent, replacement } = await replacing();
  const steps: string[] = [];
  const createFile = parent.createFile.bind(parent);
  const rename = parent.rename.bind(parent);
  parent.createFile = async (name, mode) => {
    const file = await createFile(name, mode);
    const [write, sync] = [file.writeFile.bind(file), file.sync.bind(file)];
    file.writeFile = async (data) => {
      await write(data);
      steps.push("written");
    };
    file.sync = async () => {
      await sync();
      steps.push("flushed");
    };
    return file;
  };
  parent.rename = async (from, to) => {
    steps.push("renamed");
    await rename(from, to);
  };
  await replacement.prepare();
  await replacement.verify();
  await replacement.apply();
  await replacement.tidy();
  expect(steps).toEqual(["written", "flushed", "renamed"]);
  expect(fixture.read("file")).toBe("new");
});

test("what somebody writes into the old file while its place is taken is noticed, and comes back", async () => {
  const { fixture, parent, replacement } = await replacing();
  const held = openSync(`${fixture.workspace.cwd}/file`, "a");
  const rename = parent.rename.bind(parent);
  parent.rename = async (from, to) => {
    await rename(from, to);
    writeSync(held, " and theirs");
    closeSync(held);
  };
  await replacement.prepare();
  await replacement.verify();
  await expect(replacement.apply()).rejects.toMatchObject({ code: "file.stale" });
  parent.rename = rename;
  await replacement.takeBack();
  expect(fixture.read("file")).toBe("old and theirs");
  expect(readdirSync(fixture.workspace.cwd)).toEqual(["file"]);
});

test("a file that disappears after the last look is stale, and nothing is left beside it", async () => {
  const { fixture, replacement } = await replacing();
  await replacement.prepare();
  await replacement.verify();
  rmSync(`${fixture.workspace.cwd}/file`);
  await expect(replacement.apply()).rejects.toMatchObject({ code: "file.stale", kind: "rejected" });
  await replacement.takeBack();
  expect(readdirSync(fixture.workspace.cwd)).toEqual([]);
});

test("where a file system has no hard links, files are replaced and taken back all the same", async () => {
  for (const code of ["EPERM", "ENOTSUP", "EMLINK"]) {
    const { fixture, parent, replacement } = await replacing();
    parent.link = async () => await Promise.reject(Object.assign(new Error(code), { code }));
    await replacement.prepare();
    await replacement.verify();
    await replacement.apply();
    expect(fixture.read("file")).toBe("new");
    await replacement.takeBack();
    expect(fixture.read("file")).toBe("old");
    expect(readdirSync(fixture.workspace.cwd)).toEqual(["file"]);
  }
});

test("a failure that says something else about links than that there are none is reported as it is", async () => {
  const { fixture, parent, replacement } = await replacing();
  const broken = Object.assign(new Error("the disk is broken"), { code: "EIO" });
  parent.link = async () => await Promise.reject(broken);
  await replacement.prepare();
  await replacement.verify();
  await expect(replacement.apply()).rejects.toBe(broken);
  await replacement.takeBack();
  expect(fixture.read("file")).toBe("old");
  expect(readdirSync(fixture.workspace.cwd)).toEqual(["file"]);
});
