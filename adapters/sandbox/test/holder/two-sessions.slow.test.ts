import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bundledProgram } from "../../../../test/programs/bundled-program.ts";
import { makePlace, type Place } from "../support/bench-place.ts";
import type { CommandsRequest } from "../support/commands-process.ts";
import { hasBubblewrap } from "../support/has-bubblewrap.ts";
import type { Ended } from "../support/run-program.ts";

const rounds = 200;

/** What agents do all day, in the session's own folder and in one that both use; every tenth time a repository with packages. */
function commandOf(session: string, round: number): string {
  const own = `${session}/${round}`;
  const everyday = [
    `mkdir -p ${own}`,
    `echo ${round} > ${own}/file`,
    `mv ${own} ${session}/moved-${round}`,
    `echo ${session} ${round} >> shared/log`,
    "cat AGENTS.md > /dev/null",
    "git status --short > /dev/null",
  ];
  const seldom = [`git init -q ${session}/repo-${round}`, `mkdir -p ${session}/repo-${round}/node_modules/x/.vscode`];
  return [...everyday, ...(round % 10 === 0 ? seldom : [])].join(" && ");
}

async function runSession({ options, workspace, home }: Place, session: string): Promise<readonly Ended[]> {
  const scripts = Array.from({ length: rounds }, (_item, round) => commandOf(session, round));
  const request: CommandsRequest = { options, workspace, scripts, isOneSession: true };
  const program = await bundledProgram(new URL("../support/commands-process.ts", import.meta.url).pathname);
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(request)], {
    env: { PATH: process.env["PATH"], HOME: home },
    maxBuffer: 64 * 1024 * 1024,
  });
  const ended: readonly Ended[] = JSON.parse(stdout);
  return ended;
}

test.skipIf(!hasBubblewrap)(
  "two processes with a session each in one workspace, 200 rounds: no warning, and nothing of the other's is moved",
  { timeout: 600_000 },
  async () => {
    const place = makePlace();
    const { workspace, options } = place;
    mkdirSync(join(workspace, "shared"));
    execFileSync("git", ["init", "-q", workspace]);
    writeFileSync(join(workspace, "AGENTS.md"), "words of the user");
    writeFileSync(join(workspace, ".env"), "secret");
    const sessions = ["one", "two"];
    const all = await Promise.all(sessions.map(async (session) => await runSession(place, session)));
    for (const ended of all) {
      const troubled = ended.filter(
        ({ code, report }) => code !== 0 || report.runsLater.length > 0 || report.quarantined.length > 0,
      );
      expect(troubled).toEqual([]);
      expect(ended.length).toBe(rounds);
    }
    const log = readFileSync(join(workspace, "shared", "log"), "utf8")
      .trim()
      .split("\n");
    expect(log.toSorted()).toEqual(
      sessions.flatMap((session) => Array.from({ length: rounds }, (_item, round) => `${session} ${round}`)).toSorted(),
    );
    for (const session of sessions)
      expect(readdirSync(join(workspace, session)).filter((name) => name.startsWith("moved-")).length).toBe(rounds);
    expect(readdirSync(workspace).toSorted()).toEqual([".env", ".git", "AGENTS.md", "one", "shared", "two"]);
    expect([
      existsSync(join(options.stateDirectory, "quarantine")),
      readdirSync(join(options.stateDirectory, "runs")),
    ]).toEqual([false, []]);
  },
);
