import { expect, test } from "vitest";
import { judgeCommandUnder, rules } from "../situations.ts";

function verdictUnder(rule: string, command: string, cwd = "/ws"): string {
  return judgeCommandUnder(command, { rules: rules(`allow run_command(${rule})`), cwd }).verdict;
}

/** Each under a rule that was written for something else. */
const hiding: readonly (readonly [rule: string, command: string])[] = [
  ["git grep *", "git grep --open-files-in-pager=./x a"],
  ["git grep *", "git grep --op=./x a"],
  ["git grep *", "git grep -O./x a"],
  ["git *", "git rebase -x ./x main"],
  ["git *", "git rebase -ix ./x main"],
  ["git *", "git rebase --exec=./x main"],
  ["git *", "git difftool -x ./x HEAD"],
  ["git *", "git difftool --extcmd=./x HEAD"],
  ["git *", "git bisect run ./x"],
  ["git *", "git submodule foreach ./x"],
  ["git *", "git filter-branch --tree-filter ./x"],
  ["git *", "git clone -u ./x /tmp/a b"],
  ["git *", "git clone --template=./t /tmp/a b"],
  ["git *", "git clone ext::./x b"],
  ["git *", "git config alias.st '!./x'"],
  ["git *", "git config core.fsmonitor ./x"],
  ["git *", "git hook run pre-commit"],
  ["npm *", "npm --prefix other test"],
  ["npm *", "npm test --prefix=other"],
  ["npm *", "npm -C other test"],
  ["npm *", "npm test --script-shell ./x"],
  ["npm *", "npm test -script-shell=./x"],
  ["npm *", "npm test --node-options=--require=./x"],
  ["yarn *", "yarn --cwd other test"],
  ["pnpm *", "pnpm --dir other test"],
  ["npm test *", "npm test -- --test-reporter=./x"],
  ["node *", "node -r ./x app.js"],
  ["node *", "node --require ./x app.js"],
  ["node *", "node --import=./x app.js"],
  ["node --test *", "node --test --test-reporter=./x"],
  ["node --test *", "node --test --test_reporter=./x"],
  ["node *", "node --conditions dev -e 1"],
  ["node *", "node --eval=1"],
  ["python3 *", "python3 -c 1"],
  ["sed *", "sed 1e a.txt"],
  ["sed *", "sed '1etouch x' a.txt"],
  ["sed *", "sed s/a/b/e a.txt"],
  ["sed *", "sed 's|a|b|w out' a.txt"],
  ["sed *", "sed -ne '/a/e' a.txt"],
  ["sed *", "sed -n -e p -e1e a.txt"],
  ["make *", "make SHELL=./x"],
  ["make *", "make test CC=./x"],
  ["make *", "make --eval=x"],
  ["make *", "make -C other"],
  ["make *", "make -f other.mk"],
  ["go *", "go test -exec ./x ./..."],
  ["rsync *", "rsync -e ./x a b"],
  ["cargo *", "cargo --config build.rustc=./x build"],
  ["git *", "git -C other status"],
  ["git *", "git -C ../other commit -m x"],
  ["git *", "git --no-pager -C other log"],
  ["git *", "git --git-dir=other/.git status"],
  ["git *", "git --git-dir other/.git --work-tree . checkout ."],
  ["npm test *", "npm test -w x"],
  ["npm test *", "npm test --workspace=x"],
  ["npm test *", "npm test --workspace x"],
  ["npm test *", "npm test --workspaces"],
  ["npm test *", "npm test -ws"],
  ["npm *", "npm -w x run build"],
  ["pnpm *", "pnpm --filter x test"],
  ["pnpm *", "pnpm -F x test"],
  ["pnpm *", "pnpm -r test"],
  ["yarn *", "yarn workspace x test"],
  ["yarn *", "yarn workspaces run test"],
];

test.each(hiding)("a rule `%s` does not cover `%s`", (rule, command) => {
  expect(verdictUnder(rule, command)).toBe("ask");
});

test("a rule that spells the argument out covers it, and so does one that is the command", () => {
  for (const [rule, command] of [
    ["git submodule foreach *", "git submodule foreach ./x"],
    ["git bisect run npm *", "git bisect run npm test"],
    ["npm --prefix other *", "npm --prefix other test"],
    ["npm test -w x *", "npm test -w x -- --bail"],
    ["git -C other *", "git -C other status"],
    ["node -r ./x *", "node -r ./x app.js"],
    ["make SHELL=./x", "make SHELL=./x"],
    ["sed 1e a.txt", "sed 1e a.txt"],
  ] as const) {
    expect([command, verdictUnder(rule, command)]).toEqual([command, "allow"]);
  }
});

test("what the wildcard was written for is covered as before", () => {
  for (const [rule, command] of [
    ["git grep *", "git grep --text -E 'a|b' src"],
    ["git *", "git rebase main"],
    ["git *", "git clean -x -n"],
    ["git *", "git add -u"],
    ["git *", "git submodule update"],
    ["git *", "git config user.name me"],
    ["git *", "git diff -C HEAD"],
    ["git *", "git commit -C HEAD"],
    ["git *", "git grep -C 3 word"],
    ["npm test *", "npm test -- -w"],
    ["npm *", "npm install --save-dev x"],
    ["npm *", "npm run build -- --mode production"],
    ["npm *", "npm install --prefer-offline"],
    ["node *", "node server.js -p 80 -e production"],
    ["node *", "node --test --test-name-pattern=a"],
    ["sed *", "sed 's/[a-z]*e/w/g;10,20p' src/e.txt"],
    ["sed *", "sed -n '/e/,/w/p' a.txt"],
    ["sed *", "sed -E -e 's#e#w#I' -e '$d' a.txt"],
    ["make *", "make test V=1 DEBUG=yes -j4"],
    ["cargo *", "cargo test --release"],
  ] as const) {
    expect([command, verdictUnder(rule, command)]).toEqual([command, "allow"]);
  }
});

test("a rule names a program in the workspace's folder: elsewhere it does not cover it", () => {
  for (const rule of ["npm test", "npm *", "regex:npm .*"]) {
    expect(verdictUnder(rule, "npm test")).toBe("allow");
    expect(verdictUnder(rule, "npm test", "/ws/other")).toBe("ask");
    for (const away of ["cd other && npm test", "cd /ws/other; npm test", "cd .. && npm test", "cd - && npm test"])
      expect([away, verdictUnder(rule, away)]).toEqual([away, "ask"]);
    for (const home of ["cd /ws && npm test", "cd . && npm test", "cd /ws/ && npm test"])
      expect([home, verdictUnder(rule, home)]).toEqual([home, "allow"]);
  }
  expect(verdictUnder("cd other && npm test", "cd other && npm test")).toBe("allow");
  expect(verdictUnder("cd other && npm test", "cd other && npm test", "/ws/other")).toBe("ask");
  expect(verdictUnder("*", "cd other && npm test")).toBe("allow");
});

test("a character that no shell takes for a blank makes it another command", () => {
  for (const blank of ["\uFEFF", "\u00A0", "\u2028", "\u3000", "\r", "\v", "\f"]) {
    expect(verdictUnder("npm test", `${blank}npm test`)).toBe("ask");
    expect(verdictUnder("npm test", `npm test${blank}`)).toBe("ask");
  }
  expect(verdictUnder("npm test", " npm test\n")).toBe("allow");
});
