import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runs, SeededRandom } from "@capstan/testkit";
import { expect, onTestFinished, test } from "vitest";
import { userGitFiles } from "../src/index.ts";

const searchPath = "/usr/local/bin:/usr/bin:/bin";

function newHome(files: Readonly<Record<string, string>> = {}): string {
  const home = mkdtempSync(join(tmpdir(), "capstan-git-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), content);
  }
  return home;
}

/** What git says in another home that has only the files which the first one's user gets there. */
async function inOtherHome(home: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const files = await userGitFiles({ home, env, searchPath });
  return newHome(Object.fromEntries(files.map(({ path, content }) => [path, content])));
}

function git(home: string, ...args: readonly string[]): string {
  const env = { PATH: searchPath, HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", [...args], { cwd: home, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

test("who the user is and how git works for them goes along, from included files, too", async () => {
  const home = newHome({
    ".gitconfig":
      '[include]\n\tpath = work.inc\n[user]\n\tname = "Ada \\"the\\" Ångström; # no comment"\n[rerere]\n\tenabled\n',
    "work.inc": "[user]\n\temail = ada@example.org\n[init]\n\tdefaultBranch = trunk\n[pull]\n\trebase = true\n",
  });
  const other = await inOtherHome(home);
  for (const name of ["user.name", "user.email", "init.defaultBranch", "pull.rebase"])
    expect(git(other, "config", name)).toBe(git(home, "config", name));
  expect(git(other, "config", "--type=bool", "rerere.enabled")).toBe("true\n");
});

test("what names a program, an address or a secret stays where it is", async () => {
  const home = newHome({
    ".gitconfig": [
      "[user]\n\tname = Ada\n\tsigningkey = ABCDEF",
      "[credential]\n\thelper = store",
      '[url "https://token@example.org/"]\n\tinsteadOf = https://example.org/',
      "[http]\n\textraHeader = Authorization: hidden\n\tproxy = http://u:p@proxy",
      "[core]\n\tsshCommand = ssh -i key\n\teditor = vim\n\tpager = less\n\thooksPath = ~/hooks\n\tfsmonitor = monitor",
      "[alias]\n\tst = !status.sh",
      "[commit]\n\tgpgSign = true",
      "[diff]\n\texternal = differ",
      '[filter "lfs"]\n\tprocess = git-lfs',
    ].join("\n"),
  });
  expect(await userGitFiles({ home, env: {}, searchPath })).toEqual([
    { path: ".gitconfig", content: '[user]\n\tname = "Ada"\n' },
  ]);
});

test("what the user ignores everywhere is ignored, wherever they keep it", async () => {
  const places: readonly (readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>])[] = [
    [{ ".config/git/ignore": "*.mine\n" }, {}],
    [{ ".gitconfig": "[core]\n\texcludesFile = ~/.my-ignored\n", ".my-ignored": "*.mine\n" }, {}],
    [{ "settings/git/ignore": "*.mine\n" }, { XDG_CONFIG_HOME: "settings" }],
    [{ "own.conf": "[core]\n\texcludesFile = ~/there\n", there: "*.mine\n" }, { GIT_CONFIG_GLOBAL: "own.conf" }],
  ];
  for (const [files, variables] of places) {
    const home = newHome(files);
    const env = Object.fromEntries(Object.entries(variables).map(([name, path]) => [name, join(home, path)]));
    const other = await inOtherHome(home, env);
    git(other, "init", "work");
    writeFileSync(join(other, "work", "a.mine"), "");
    writeFileSync(join(other, "work", "b"), "");
    expect(git(other, "-C", "work", "status", "--porcelain")).toBe("?? b\n");
  }
});

test("a user without settings of git has none, and so has one whose settings cannot be read", async () => {
  expect(await userGitFiles({ home: newHome(), env: {}, searchPath })).toEqual([]);
  expect(await userGitFiles({ home: newHome({ ".gitconfig": "[user\n" }), env: {}, searchPath })).toEqual([]);
  expect(await userGitFiles({ home: newHome(), env: {}, searchPath: "/nowhere" })).toEqual([]);
});

test("whatever a name holds, git reads it back as it was", async () => {
  const random = new SeededRandom(7);
  const letters = ["a", " ", '"', "\\", "\t", "\n", "#", ";", "=", "[", "]", "é", "𝄞", "'", "`", "$", "!", "%"];
  for (let round = 0; round < runs(40); round += 1) {
    const name = Array.from({ length: 1 + random.below(12) }, () => letters[random.below(letters.length)]).join("");
    const home = newHome();
    git(home, "config", "--global", "user.name", name);
    const other = await inOtherHome(home);
    expect(git(other, "config", "--null", "user.name")).toBe(`${name}\0`);
  }
});
