import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { dataDirectory, prepareDataDirectory } from "../src/data-dir.ts";

function newDirectory(): string {
  const root = mkdtempSync(join(tmpdir(), "capstan-data-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test("CAPSTAN_HOME names the data directory, else it lies in the home directory", () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ CAPSTAN_HOME: "/data/capstan", HOME: "/home/me" }, "/data/capstan"],
    [{ CAPSTAN_HOME: "", HOME: "/home/me" }, "/home/me/.capstan"],
    [{ CAPSTAN_HOME: "relative" }, join(process.cwd(), "relative")],
    [{}, join(homedir(), ".capstan")],
    // Beside the user's files nothing private may come to lie.
    [{ HOME: "" }, join(homedir(), ".capstan")],
    [{ HOME: "relative" }, join(homedir(), ".capstan")],
  ];
  for (const [environment, expected] of cases) expect(dataDirectory(environment)).toBe(expected);
});

test("the directory is created for its owner alone, and preparing it again changes nothing", async () => {
  const root = join(newDirectory(), "new", "home");
  const expected = {
    root,
    database: join(root, "capstan.db"),
    facts: join(root, "facts.db"),
    configFile: join(root, "config.toml"),
    spill: join(root, "spill"),
    backups: join(root, "backups"),
    checkpoints: join(root, "checkpoints"),
    runs: join(root, "runs"),
  };
  expect(await prepareDataDirectory(root)).toEqual(expected);
  expect(await prepareDataDirectory(root)).toEqual(expected);
  const modes = [root, expected.spill, expected.backups].map((path) => (statSync(path).mode & 0o777).toString(8));
  expect(modes).toEqual(["700", "700", "700"]);
});

test("a blocked place is named, with what to do", async () => {
  const root = newDirectory();
  writeFileSync(join(root, "file"), "");
  for (const path of [join(root, "file"), join(root, "file", "below")]) {
    await expect(prepareDataDirectory(path)).rejects.toMatchObject({
      code: "storage.unavailable",
      message: expect.stringContaining(`the data directory ${path} cannot be used: `),
      hint: "Make it writable, or set CAPSTAN_HOME to a directory that is.",
    });
  }
});

test.runIf(process.getuid?.() !== 0)("a directory that may not be written to is refused", async () => {
  const root = join(newDirectory(), "read-only");
  mkdirSync(root, { mode: 0o500 });
  await expect(prepareDataDirectory(root)).rejects.toMatchObject({ code: "storage.unavailable" });
});

test("a directory that others can change is refused, and one that only its owner can is not", async () => {
  const root = join(newDirectory(), "open");
  mkdirSync(root);
  for (const mode of [0o777, 0o1777, 0o702]) {
    chmodSync(root, mode);
    await expect(prepareDataDirectory(root)).rejects.toMatchObject({
      code: "storage.unavailable",
      message: expect.stringContaining(`can be changed by other users (mode ${mode.toString(8).padStart(4, "0")})`),
      hint: expect.stringContaining("chmod 700"),
    });
  }
  for (const mode of [0o700, 0o755]) {
    chmodSync(root, mode);
    expect((await prepareDataDirectory(root)).root).toBe(root);
  }
  chmodSync(join(root, "spill"), 0o777);
  await expect(prepareDataDirectory(root)).rejects.toMatchObject({ code: "storage.unavailable" });
});
