import { spawnSync } from "node:child_process";
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";

const firstCommit = "A shop with bulk discounts";
const identity = ["-c", "user.name=Corner Shop", "-c", "user.email=shop@example.invalid", "-c", "commit.gpgsign=false"];

/**
 * The shop under git, as the task begins: made on the spot, or, where an earlier run left it, as it was before that run.
 * @param path  a folder that is not there yet, or one that this function made
 */
export function openShop(path: string): void {
  if (existsSync(path)) return resetShop(path);
  cpSync(join(import.meta.dirname, "repository"), path, { recursive: true });
  git(path, "init", "-q", "-b", "main");
  git(path, "add", "-A");
  git(path, ...identity, "commit", "-q", "-m", firstCommit);
}

function resetShop(path: string): void {
  const found = spawnSync("git", ["log", "--format=%ae %s"], { cwd: path, encoding: "utf8" }).stdout;
  if (found?.trim() !== `shop@example.invalid ${firstCommit}`) {
    throw new Error(`${path} is not the shop of this example. Name another folder: npm start -- FOLDER`);
  }
  git(path, "reset", "-q", "--hard");
}

function git(cwd: string, ...args: readonly string[]): void {
  const done = spawnSync("git", args, { cwd, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`git ${args.join(" ")} failed: ${done.stderr || String(done.error)}`);
}
