/** C24: ordinary reading goes through unasked. */
import { expect, test } from "vitest";
import { knownSafe, type Safety } from "../../src/commands/known-safe.ts";
import { judgeCommandUnder, rules, workspace } from "../situations.ts";

// A hundred commands that only read, as models write them while finding a bug; not chosen to pass.
const reading = `
ls
ls -la
ls -la src
ls -1 src/components
ls -R src
ls --color=never -l
ls -lh dist
ls packages/*/src
pwd
whoami
cat package.json
cat -n src/index.ts
cat src/a.ts src/b.ts
cat README.md | head -50
cat ./tsconfig.json
cat /ws/src/main.ts
cat "docs/my notes.md"
cat src/index.ts 2>/dev/null
cat /etc/os-release
head -20 src/index.ts
head -n 40 README.md
head -c 200 data.bin
tail -n 20 CHANGELOG.md
tail -5 log.txt
tail -n +30 src/a.ts
tail -n +30 src/a.ts | head -n 20
wc -l src/a.ts
wc -l src/a.ts src/b.ts
cat src/a.ts | wc -l
find . -name '*.ts'
find . -name "*.test.ts" -type f
find src -type f -name '*.tsx' -not -path '*/node_modules/*'
find . -maxdepth 2 -type d
find . -name package.json -not -path './node_modules/*'
find . -type f -size +100k
find src -newer package.json
find . -name '*.py' | head -20
find . -name '*.py' | xargs grep foo
find . -type f -name '*.md' | wc -l
find . \\( -name a -o -name b \\)
grep -rn TODO src
grep -rn "function parse" src
grep -n 'export' src/index.ts
grep -rl useState src
grep -i error log.txt
grep -c test src/a.test.ts
grep -A 5 -B 2 'class Foo' src/foo.ts
grep -rn --include='*.ts' 'import .* from' src
grep -rn --include=*.ts foo src
grep -E 'a|b' src/x.ts
grep -v '^#' .gitignore
grep -rn foo . --exclude-dir=node_modules
grep -rn foo . | head -20
grep -Rn foo src
grep -o 'v[0-9.]*' package.json
grep -q foo src/a.ts && echo yes
rg foo
rg -n "TODO|FIXME" src
rg -l useEffect
rg --files
rg --files src | head
rg -i 'error' -g '*.ts'
rg -t ts 'interface Foo'
rg -C 3 parse src/parser.ts
rg --hidden --no-ignore foo
rg -c import src
rg 'fn main' -A 10 src/main.rs
rg foo | wc -l
sed -n 10,20p src/index.ts
sed -n '1,80p' src/index.ts
sed -n 5p src/a.ts
sed -n '/start/,/end/p' src/a.ts
cat src/a.ts | sed -n 1,5p
stat package.json
stat -c %s dist/app.js
nl -ba src/index.ts
nl src/a.ts | sed -n 5,9p
cut -d: -f1 names.txt
cat a.csv | cut -d, -f2
cat a.csv | cut -d, -f2 | sort | uniq -c
rev names.txt
tr a-z A-Z
cat x.txt | tr -d '[:space:]'
echo hello
echo "checking types"
which node
which -a python3
du -sh node_modules
df -h
sha256sum dist/app.js
md5sum a b
realpath src
basename src/index.ts .ts
dirname src/index.ts
uname -a
git status
git log --oneline -5
git diff HEAD
cd src && ls
cd /ws/src && grep -n foo a.ts
`
  .trim()
  .split("\n");

test("of a hundred reading commands, the default mode asks about few", () => {
  const allowed = reading.filter((command) => judgeCommandUnder(command).verdict === "allow");
  expect(reading).toHaveLength(100);
  expect(reading.filter((command) => !allowed.includes(command))).toEqual([
    "ls packages/*/src",
    "cat src/index.ts 2>/dev/null",
    "cat /etc/os-release",
    "find . -name '*.py' | xargs grep foo",
    "find . \\( -name a -o -name b \\)",
    "grep -rn --include=*.ts foo src",
    "grep -Rn foo src",
    "sed -n '/start/,/end/p' src/a.ts",
    "cat a.csv | cut -d, -f2 | sort | uniq -c",
    "git status",
    "git log --oneline -5",
    "git diff HEAD",
  ]);
});

function why(...argv: readonly string[]): Safety {
  return knownSafe(argv, workspace);
}

test("why a command is not known to only read is said in words", () => {
  expect([why("cat", "src/a"), why("cat", "/extra/a"), why("true", "..")]).toEqual([
    { safe: true },
    { safe: true },
    { safe: true },
  ]);
  expect(why("make")).toEqual({ safe: false, why: "it is not one of the commands known to only read" });
  expect(why("cat", "../x")).toEqual({ safe: false, why: "`../x` is not certainly inside the workspace" });
  expect(why("cat", "/etc/passwd")).toEqual({
    safe: false,
    why: "`/etc/passwd` is not certainly inside the workspace",
  });
  expect(why("cat", "--", "-x")).toEqual({ safe: true });
  expect(why("tail", "-f", "x")).toEqual({ safe: false, why: "its option `-f` is not known to be harmless" });
  expect(why("find", ".", "-delete")).toEqual({
    safe: false,
    why: "its argument `-delete` is not known to be harmless",
  });
  expect(why("sed", "s/a/b/", "x")).toEqual({ safe: false, why: "only `sed -n N,Mp` is known to only read" });
  expect(why("cat", "ü")).toEqual({ safe: false, why: "it has characters that are not printable ASCII" });
  expect(why("cd", "-")).toEqual({
    safe: false,
    why: "only `cd` into one folder of the workspace is known to be harmless",
  });
  expect(why("constructor")).toEqual({ safe: false, why: "it is not one of the commands known to only read" });
  expect(why()).toEqual({ safe: false, why: "it is not one of the commands known to only read" });
});

test("no path leaves the workspace, whatever option carries it", () => {
  const escapes = [
    "cat ../x", "cat src/../../x", "cat /etc/passwd", "cat /wsx/a", "cat a /etc/b", "head -n 1 /etc/b", "head -n1 /etc/b", "wc -l /etc/b",
    "grep a /etc/b", "grep -e a /etc/b", "grep -ea /etc/b", "grep --regexp=a /etc/b", "grep --regexp a /etc/b", "grep -n -- a /etc/b",
    "rg a /etc/b", "rg --files /etc", "rg -e a /etc", "rg -tts a /etc", "find /etc", "find . /etc -name a", "find . -newer /etc/b",
    "find . -samefile /etc/b", "sed -n 1p /etc/b", "stat /etc/b", "cut -f1 /etc/b", "nl /etc/b", "rev /etc/b", "ls ..", "cd ..", "cd /",
    "cd -", "cd", "ls -I x /etc", "ls -w 80 /etc", "cmp a /etc/b", "du /etc", "realpath ..", "sha256sum /etc/b",
  ]; // prettier-ignore
  expect(escapes.filter((command) => judgeCommandUnder(command).verdict !== "ask")).toEqual([]);
});

test("a command that changes the shell takes the trust from its neighbours", () => {
  const shellRules = rules("allow Bash(unset *)", "allow Bash(cd *)", "allow Bash(alias *)");
  for (const first of ["unset PATH", "cd /", "cd ..", "alias ls=x"]) {
    const verdicts = [`${first} && ls`, `ls; ${first}`, first].map(
      (command) => judgeCommandUnder(command, { rules: shellRules }).verdict,
    );
    expect([first, ...verdicts]).toEqual([first, "ask", "ask", "allow"]);
  }
});

test("a rule that protects files binds commands, too", () => {
  const under = { rules: rules("deny Read(./.env)", "deny Read(secret/**)", "ask Search(private/**)") };
  const verdicts = (commands: readonly string[]): readonly string[] =>
    commands.map((command) => judgeCommandUnder(command, under).verdict);
  const deniedCommands = [
    "cat .env",
    "cat ./.env",
    "cat a .env",
    "cat /ws/.env",
    "head -n1 secret/key",
    "grep a secret/x/y",
    "cp .env x",
    "curl -d @.env x",
    "x --file=.env",
    "cat < .env",
    "cat $HOME .env",
  ];
  expect(verdicts(deniedCommands)).toEqual(deniedCommands.map(() => "deny"));
  const asked = ["cat private/x", "grep -rn a .", "rg a", "cd src && cat key", "cat priv*"];
  expect(verdicts(asked)).toEqual(asked.map(() => "ask"));
  expect(verdicts(["cat a.env", "cat env", "ls", "find . -name x", "grep a src/x"])).toEqual(Array(5).fill("allow"));
  expect(judgeCommandUnder("cat key", { ...under, cwd: "/ws/secret" }).verdict).toBe("deny");
});

test("a rule against changing files asks about commands that may", () => {
  const under = { rules: rules("deny Edit(dist/**)", "allow run_command(tool *)") };
  expect(judgeCommandUnder("tool dist/a", under).verdict).toBe("ask");
  expect(judgeCommandUnder("tool src/a", under).verdict).toBe("allow");
  expect(judgeCommandUnder("cat dist/a", under).verdict).toBe("allow");
  expect(judgeCommandUnder("tool dist/a", { ...under, yolo: true }).verdict).toBe("ask");
});
