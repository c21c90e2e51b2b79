import { runs, slowTest } from "@capstan/testkit";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createGlobTool } from "../../src/glob.ts";
import { createSearchTool } from "../../src/search/search.ts";
import { type SearchPlace, searchPlace } from "./search-place.ts";

/** A process of its own that swaps a file and a directory for links to the outside, and back, without end. */
const swapper = `
const { linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const [cwd, outside] = process.argv.slice(1);
process.chdir(cwd);
writeFileSync("real.txt", "harmless canary-word\\n");
mkdirSync("real"); writeFileSync("real/in.txt", "harmless\\n");
symlinkSync(outside + "/secret.txt", "link.txt"); symlinkSync(outside, "link");
process.stdout.write("ready\\n");
for (;;) {
  renameSync("real.txt", "file.txt"); renameSync("real", "folder");
  renameSync("file.txt", "real.txt"); renameSync("folder", "real");
  renameSync("link.txt", "file.txt"); renameSync("link", "folder");
  renameSync("file.txt", "link.txt"); renameSync("folder", "link");
}`;

async function startSwapping(place: SearchPlace): Promise<void> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "capstan-outside-")));
  mkdirSync(join(outside, "stolen-name"));
  writeFileSync(join(outside, "secret.txt"), "stolen canary-word\n");
  writeFileSync(join(outside, "stolen-file.txt"), "stolen canary-word\n");
  const child = spawn(process.execPath, ["-e", swapper, place.cwd, outside], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(async () => {
    await new Promise((resolve) => child.once("exit", resolve) && child.kill("SIGKILL"));
    rmSync(outside, { recursive: true });
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
}

const rounds = runs(150);

slowTest("a naive reader and lister are caught: the race is real", async () => {
  const place = searchPlace(createGlobTool);
  await startSwapping(place);
  let stolen = "";
  for (let round = 0; round < 100_000 && !/word.*name/s.test(stolen); round += 1) {
    try {
      const text = readFileSync(join(place.cwd, "file.txt"), "utf8");
      if (text.includes("stolen")) stolen = `word${stolen}`;
    } catch {
      // Just then it was not there.
    }
    try {
      if (readdirSync(join(place.cwd, "folder")).includes("stolen-name")) stolen += "name";
    } catch {
      // Just then it was not there.
    }
    if (round % 100 === 0) await nextTurn();
  }
  expect(stolen).toMatch(/word.*name/s);
});

test("search never shows what lies outside, and never counts it", async () => {
  const place = searchPlace(createSearchTool);
  await startSwapping(place);
  for (let round = 0; round < rounds; round += 1) {
    expect((await place.call({ pattern: "canary-word", context: 1 })).content).not.toContain("stolen");
    expect((await place.call({ pattern: "stolen" })).details).toMatchObject({ matches: 0, files: 0 });
  }
});

test("glob never lists what lies outside", async () => {
  const place = searchPlace(createGlobTool);
  await startSwapping(place);
  for (let round = 0; round < rounds; round += 1) {
    expect((await place.call({ pattern: "**" })).content).not.toContain("stolen");
    const action = { pattern: "**", path: "folder" };
    const listed = await place.call(action).catch(() => ({ content: "refused" }));
    expect(listed.content).not.toContain("stolen");
  }
});
