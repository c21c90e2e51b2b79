import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { FoundFiles } from "@capstan/protocol";
import { expect, onTestFinished, test } from "vitest";
import { openFileFinder } from "../../src/find-files/open-file-finder.ts";

interface Place {
  readonly root: string;
  readonly write: (...paths: readonly string[]) => void;
  readonly find: (text: string, limit?: number) => Promise<FoundFiles>;
  /** Lets so much time pass. */
  readonly pass: (ms: number) => void;
}

function place(deniedPatterns: readonly string[] = []): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "capstan-find-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  let now = 0;
  const find = openFileFinder({
    deniedPatterns,
    spillDirectory: join(root, "spill"),
    searchPath: "",
    elapsed: () => now,
  });
  return {
    root,
    write(...paths) {
      for (const path of paths) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), "");
      }
    },
    find: (text, limit = 100) => find({ cwd: root, roots: [root] }, text, limit),
    pass: (ms) => {
      now += ms;
    },
  };
}

test("what is ignored, denied, another repository's own or a link is not found; other hidden files are", async () => {
  const { root, write, find } = place(["**/.env*", "secrets/"]);
  write("src/main.ts", "build/main.js", ".env", "deep/.env.local", "secrets/main.key", ".github/main.yml", ".git/main");
  writeFileSync(join(root, ".gitignore"), "build/\n");
  symlinkSync(join(root, "src/main.ts"), join(root, "main-link.ts"));
  expect((await find("main")).paths).toEqual(
    [".github/main.yml", "src/main.ts"].toSorted((a, b) => a.length - b.length),
  );
  expect((await find("env")).paths).toEqual([]);
});

test("ignore rules above the workspace hold in a repository, and nowhere else", async () => {
  const { root, write } = place();
  write("outer/work/kept.ts", "outer/work/left.ts");
  writeFileSync(join(root, "outer/.gitignore"), "left.ts\n");
  const work = join(root, "outer/work");
  const options = { deniedPatterns: [], spillDirectory: root, searchPath: "", elapsed: () => 0 };
  const paths = async (): Promise<readonly string[]> =>
    (await openFileFinder(options)({ cwd: work, roots: [work] }, "ts", 10)).paths;
  expect((await paths()).toSorted()).toEqual(["kept.ts", "left.ts"]);
  execFileSync("git", ["init", "-q", join(root, "outer")], { env: { PATH: process.env["PATH"] } });
  expect(await paths()).toEqual(["kept.ts"]);
});

test("the next letters use the same listing for a moment; later the folder is listed again", async () => {
  const { write, find, pass } = place();
  write("one.ts");
  expect((await find("ts")).paths).toEqual(["one.ts"]);
  write("two.ts");
  expect((await find("ts")).paths).toEqual(["one.ts"]);
  pass(60_000);
  expect((await find("ts")).paths).toEqual(["one.ts", "two.ts"]);
});

test("at most as many are found as asked for, and a folder that is gone is an error with a code, also the second time", async () => {
  const { root, write, find, pass } = place();
  expect(await find("a")).toEqual({ paths: [], isPartial: false });
  write("a1", "a2", "a3");
  pass(60_000);
  expect((await find("a", 2)).paths).toEqual(["a1", "a2"]);
  rmSync(root, { recursive: true });
  pass(60_000);
  await expect(find("a")).rejects.toMatchObject({ code: "storage.unavailable" });
  await expect(find("a")).rejects.toMatchObject({ code: "storage.unavailable" });
});
