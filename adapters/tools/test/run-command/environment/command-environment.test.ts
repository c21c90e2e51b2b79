import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Confinement } from "@capstan/protocol";
import { expect, test } from "vitest";
import { commandEnvironment } from "../../../src/run-command/environment/command-environment.ts";
import { type CommandPlace, commandPlace } from "../call-command.ts";

const sandboxed = (...hosts: readonly string[]): Confinement => ({
  type: "sandbox",
  workspace: "write",
  hosts,
  writable: [],
});

test("what the user gives to commands wins over what keeps them from waiting", () => {
  const own = { PATH: "/usr/bin", TERM: "xterm", GIT_EDITOR: "ed", npm_config_fetch_retries: "4" };
  expect(commandEnvironment(own, sandboxed())).toMatchObject({ ...own, PAGER: "cat", PIP_RETRIES: "0" });
});

test("package managers ask once where there is no network, and as often as they like where there is", () => {
  const { TERM, ...plain } = commandEnvironment({}, { type: "none" });
  expect(TERM).toBe("dumb");
  expect(commandEnvironment({}, sandboxed("registry.npmjs.org"))).toEqual({ TERM, ...plain });
  expect(commandEnvironment({}, sandboxed())).toMatchObject({ ...plain, npm_config_fetch_retries: "0" });
});

test("no program looks for a newer one of itself, unless the user wants that", () => {
  const silent = { npm_config_update_notifier: "false", NO_UPDATE_NOTIFIER: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  for (const hosts of [[], ["registry.npmjs.org"]])
    expect(commandEnvironment({}, sandboxed(...hosts))).toMatchObject(silent);
  const own = { npm_config_update_notifier: "true" };
  expect(commandEnvironment(own, sandboxed())).toMatchObject(own);
});

/** A repository with three commits. */
function repository(): CommandPlace {
  const place = commandPlace();
  const { cwd } = place.workspace;
  const git = (...args: readonly string[]): unknown => execFileSync("git", [...args], { cwd, stdio: "ignore" });
  git("init", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  for (const name of ["one", "two", "three"]) {
    writeFileSync(join(cwd, name), `${name}\n`);
    git("add", name);
    git("commit", "-m", name);
  }
  return place;
}

test("git opens no editor: a commit without words fails, and what has words is taken as it is", async () => {
  const place = repository();
  writeFileSync(join(place.workspace.cwd, "one"), "changed\n");
  const empty = await place.call({ command: "git commit -a" });
  expect(empty.content).toContain("Aborting commit due to empty commit message");
  const amended = await place.call({ command: "git commit -a --amend && git log -1 --format=%s" });
  expect(amended.content).toMatch(/^Exit code: 0 .*\bthree\n$/s);
  const rebased = await place.call({ command: "git rebase -i HEAD~2 && git log --format=%s" });
  expect(rebased.content).toMatch(/^Exit code: 0 .*\bthree\ntwo\none\n$/s);
  const chosen = await place.call({
    command: "GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -i HEAD~2; git log --format=%s",
  });
  expect(chosen.content).toMatch(/\bthree\none\n$/);
});

test("nothing is shown page by page, and nothing is asked at a terminal", async () => {
  const place = repository();
  const log = await place.call({ command: 'git --paginate log --format=%s; echo "$TERM" | cat' });
  expect(log.content).toMatch(/^Exit code: 0 .*\bthree\ntwo\none\ndumb\n$/s);
  const asked = await place.call({ command: "printf 'protocol=https\\nhost=example.org\\n\\n' | git credential fill" });
  expect(asked.content).toMatch(/terminal prompts disabled/);
});
