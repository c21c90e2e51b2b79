import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace } from "../src/open-workspace.ts";

function newPlace(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-workspace-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of ["work", "work/inner", "other"]) mkdirSync(join(root, folder));
  writeFileSync(join(root, "file"), "");
  symlinkSync("other", join(root, "link"));
  symlinkSync("nowhere", join(root, "broken"));
  symlinkSync("loop", join(root, "loop"));
  return root;
}

test("roots are real paths, relative ones from the working directory, each once, that directory first", async () => {
  const root = newPlace();
  const work = join(root, "work");
  const other = join(root, "other");
  const cases: readonly (readonly [string, readonly string[], unknown])[] = [
    [work, [], { cwd: work, roots: [work] }],
    [work, ["../other", join(root, "link"), "."], { cwd: work, roots: [work, other] }],
    [join(root, "link"), ["../work/inner"], { cwd: other, roots: [other, join(work, "inner")] }],
  ];
  for (const [cwd, roots, expected] of cases) expect(await openWorkspace(cwd, roots)).toEqual(expected);
});

test("what is no directory is refused, with the path that was given", async () => {
  const root = newPlace();
  for (const name of ["missing", "file", "broken", "loop", "file/below", "odd\u0000name"]) {
    const path = join(root, name);
    const refused = { code: "usage.workspace-missing", message: expect.stringContaining(path) };
    await expect(openWorkspace(path, [])).rejects.toMatchObject(refused);
    await expect(openWorkspace(join(root, "work"), [path])).rejects.toMatchObject(refused);
  }
  await expect(openWorkspace("", [])).rejects.toMatchObject({ code: "usage.workspace-missing" });
});
