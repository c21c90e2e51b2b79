/** The attack catalogue's group C, as far as judgement answers it: never allowed, and what is denied stays denied. */
import { runs } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Command, judgeCommandUnder, rules, type Under } from "../situations.ts";

const setup = rules(
  "allow run_command(echo *)",
  "allow run_command(ls *)",
  "allow run_command(rg *)",
  "allow run_command(git status)",
  "deny run_command(curl)",
  "deny run_command(rm)",
);

function checkAsked(...commands: readonly Command[]): void {
  const verdicts = commands.map((command) => [command, judgeCommandUnder(command, { rules: setup }).verdict]);
  expect(verdicts).toEqual(commands.map((command) => [command, "ask"]));
}

function checkDenied(...commands: readonly Command[]): void {
  const under: readonly Under[] = [
    { rules: setup },
    { rules: setup, mode: "auto" },
    { rules: setup, mode: "accept-edits", approval: "permissive" },
    { rules: setup, yolo: true },
  ];
  for (const situation of under) {
    const verdicts = commands.map((command) => [command, judgeCommandUnder(command, situation).verdict]);
    expect(verdicts).toEqual(commands.map((command) => [command, "deny"]));
  }
}

test("the setup itself works", () => {
  const commands = ["echo a b", "ls /etc", "rg foo src", "git status", "ls src && echo done | cat"];
  expect(commands.filter((command) => judgeCommandUnder(command, { rules: setup }).verdict !== "allow")).toEqual([]);
});

test("C1: a second command is judged for itself, however it is joined", () => {
  const joints = ["; ", " && ", " || ", " | ", " & ", "\n", "\r", "\u2028", ";;", " |& ", "\u0085", ";\n"];
  checkAsked(...joints.map((joint) => `echo a${joint}touch x`));
  checkDenied(...joints.map((joint) => `echo a${joint}rm x`));
});

test("C2: substitutions and expansions are not understood", () => {
  const holders = [
    "echo $(X)", "echo `X`", "echo <(X)", "echo >(X)", "echo ${v:-$(X)}", "echo ${v@P}", "echo $((a[$(X)]))",
    "echo ${!v}", "echo $'X'", 'echo $"X"', 'echo "$(X)"', "ls $X",
  ]; // prettier-ignore
  checkAsked(...holders);
  checkDenied(
    "echo $(rm x)",
    "echo `rm x`",
    "echo <(rm x)",
    "echo ${v:-$(rm x)}",
    'echo "$(curl x)"',
    "echo $((a[$(rm x)]))",
  );
});

test("C3: here-documents, open quotes and joined lines are not understood", () => {
  checkAsked("cat <<E\n$(X)\nE", "cat <<< x", 'echo "a', "echo 'a", `echo "a'b"'`, "ec\\\nho a", "echo a\\\nb");
  checkDenied("cat <<E\n$(rm x)\nE", 'echo "a; rm x', "r\\\nm x");
});

test("C4: redirections are not understood", () => {
  const operators = [">", ">>", ">|", "<>", "&>", ">&", "2>", "2>&1 >", "1>&", "{fd}>", "<", "&>>"];
  checkAsked(...operators.map((operator) => `echo a ${operator} x`));
  checkAsked("echo a >/dev/tcp/127.0.0.1/9", "[[ a > b ]]", "! ls", "ls 2>&1");
});

test("C5: assignments and wrappers are neither safe nor a way round a deny rule", () => {
  checkAsked(
    "FOO=1 ls",
    "PATH=. ls",
    "LD_PRELOAD=x ls",
    "GIT_DIR=x git status",
    "BASH_ENV=x ls",
    "env ls",
    "env -S 'ls'",
  );
  const wrappers = [
    "env", "env -i A=b", "command", "exec", "builtin", "time", "nice", "nice -n 5", "timeout 9", "nohup", "xargs", "xargs -n1",
    "sudo", "sudo -u me", "doas", "setsid", "stdbuf -oL", "ionice -c3", "busybox", "npx", "chroot /", "strace -f", "watch",
    "ssh host", "docker run img", "find . -exec", "npm exec --", "/usr/bin/env", "ld-linux-x86-64.so.2", "/lib/ld.so",
  ]; // prettier-ignore
  checkAsked(...wrappers.map((wrapper) => `${wrapper} ls`));
  checkDenied(...wrappers.flatMap((wrapper) => [`${wrapper} rm x`, `${wrapper} /bin/rm x`, `FOO=1 ${wrapper} curl x`]));
  checkDenied(...wrappers.map((wrapper) => [...wrapper.split(" "), "/usr/bin/curl", "x"]));
});

test("C5: a script inside a word is searched for what is denied", () => {
  const carriers = [
    "sh -c",
    "bash -c",
    "bash -lc",
    "zsh -c",
    "eval",
    "env -S",
    "su -c",
    "busybox sh -c",
    "watch",
    "ssh host",
    "python3 -c",
  ];
  checkDenied(
    ...carriers.flatMap((carrier) => [`${carrier} 'rm x'`, `${carrier} 'true;rm x'`, `${carrier} "a 'r''m' x"`]),
  );
  checkAsked(...carriers.map((carrier) => `${carrier} 'ls'`));
});

test("C6: find with an action runs or deletes", () => {
  const actions = [
    "-exec X",
    "-execdir X",
    "-ok X",
    "-okdir X",
    "-delete",
    "-fls f",
    "-fprint f",
    "-fprint0 f",
    "-fprintf f x",
  ];
  checkAsked(
    ...actions.map((action) => `find . ${action}`),
    ...actions.map((action) => ["find", ".", ...action.split(" ")]),
  );
  checkAsked(
    "find . \\-delete",
    'find . "-delete"',
    'find . -del""ete',
    "find . '-name' x -delete",
    "find -L . -name x",
  );
});

test("C7: a rule for searching does not cover starting programs", () => {
  checkAsked(
    "rg --pre x foo",
    "rg --pre=x foo",
    "rg foo --hostname-bin=x",
    "rg -z foo",
    "rg -iz foo",
    "rg --search-zip foo",
  );
  checkAsked("rg foo *", ["rg", "--pre", "sh", "foo"], "RIPGREP_CONFIG_PATH=x rg foo");
  expect(judgeCommandUnder("rg --pre x foo", { rules: rules("allow Bash(rg --pre x *)") }).verdict).toBe("allow");
});

test("C8: programs that take programs", () => {
  checkAsked(
    "sed 1e x", "sed 'w f' x", "sed 's/a/b/e' x", "sed 's/a/b/w f' x", "sed -i s/a/b/ x", "sed -n 'w f' x", "sed --in-place=b s/a/b/ x",
    "sed -n 1p -i x", "sed -n 1,2p --in-place x", "sed -n -e 1p x", "sed 5p x", "awk 'BEGIN{system(1)}'", "perl -e 1", "python -c 1",
    "node -e 1", "ruby -e 1",
  ); // prettier-ignore
});

test("C9: writers that look like readers", () => {
  checkAsked(
    "uniq a b", "sort -o a b", "sort --outp=a b", "sort --compress-program=x b", "xxd -r a b", "split a", "tee a", "tree -o a",
    "column -o a", "date -s x", "hostname x", "file -C -m x", "man -P x y", "less a", "diff --output=a b c", "tar --to-command=x -xf a",
    "zip -TT x a", "git log --output=x", "tail -f x", "tail -F x", "tail --follow x", "tail --retry x", "tail -5f x",
    "wc --files0-from=x", "wc --files0-fr x", "cat /dev/tcp", "cat /dev/zero", "cat /proc/self/environ", "cat /ws/../etc/passwd", "grep -f x y",
  ); // prettier-ignore
});

test("C10: an abbreviated long option is unknown", () => {
  checkAsked(
    "wc --files0=x",
    "tail --fol x",
    "tail --fo x",
    "grep --fil=x y",
    "grep --exclude-f=x y",
    "cat --show-a x",
    "rg --pr x y",
  );
});

test("C11: a denied program is denied by whatever path it is called", () => {
  checkDenied(
    "/bin/rm x", "./rm x", "../bin/rm x", "/proc/self/root/bin/rm x", "ld-linux-x86-64.so.2 /bin/rm x", "alias ls='rm x'", "alias x=rm",
    "hash -p /bin/rm ls", "ls() { rm x; }; ls", "function ls { rm x; }", "RM x", "'rm' x", '"r""m" x', "r''m x", "\\rm x", "r\\m x",
    "$(echo rm) x", "{rm,-rf,x}", "rm$IFS-rf x", "exec -a ls rm x",
  ); // prettier-ignore
  checkAsked("./ls", "/bin/ls", "/ws/node_modules/.bin/ls", "./node_modules/.bin/rg foo", "../rg foo");
});

test("C12: only a bare name is known to be safe", () => {
  checkAsked("./cat x", "/bin/cat x", "bin/cat x", ["./cat", "x"]);
});

test("C13: no size makes a deny rule skip", () => {
  for (const count of [51, 500, runs(10_000)]) {
    checkDenied(`${"echo a; ".repeat(count)}rm x`, `${"echo a && ".repeat(count)}/bin/rm x`);
    checkAsked(`${"touch a; ".repeat(count)}ls`);
  }
  checkDenied(`echo ${"a".repeat(64 * 1024)}; rm x`, `echo ${"a ".repeat(runs(512 * 1024))}\nrm x`, [
    "sudo",
    ...Array<string>(10_000).fill("a"),
    "rm",
  ]);
  checkAsked(`echo ${"a".repeat(64 * 1024)}`);
});

test("C14: what a user could misread is asked about", () => {
  const tricks = ["\u200b", "\u202e", "\u00a0", "\u0430", "\u{e0061}", "\x1b[2K", "\u2066", "\ufeff", "\x7f"];
  checkAsked(...tricks.map((trick) => `echo a${trick}b`), ...tricks.map((trick) => ["echo", `a${trick}b`]));
  const { reason } = judgeCommandUnder("echo a\u202eb\x1b[2K", { rules: setup });
  expect(reason).toBe(
    "Needs approval: `echo a⟨U+202E⟩b⟨U+001B⟩[2K` has a character that is not printable ASCII (U+202E), so its effect is not certain.",
  );
});

test("C15: padding hides nothing from judgement or from the reason", () => {
  checkDenied(`echo a${" ".repeat(2_000)}; rm x`, `echo a${"\n".repeat(500)}rm x`);
  expect(judgeCommandUnder(`touch a${" ".repeat(2_000)}; touch b`).reason).toBe(
    "Needs approval: no rule allows `touch a` (it is not one of the commands known to only read).",
  );
  expect(judgeCommandUnder(`$x${" ".repeat(2_000)}; tail`).reason).toContain("; tail`");
});

test("C16: nothing is safe outside the workspace", () => {
  for (const cwd of ["/", "/ws/..", "/etc", "/ws_evil", "ws", "", "/proc/self/cwd"]) {
    const verdicts = [judgeCommandUnder("cat passwd", { cwd }), judgeCommandUnder("make", { cwd, mode: "auto" })];
    expect([cwd, ...verdicts.map(({ verdict }) => verdict)]).toEqual([cwd, "ask", "ask"]);
  }
  expect(judgeCommandUnder("cat x", { cwd: "/ws/src" }).verdict).toBe("allow");
  expect(judgeCommandUnder("cat x", { cwd: "/extra" }).verdict).toBe("allow");
});

test("C19: plan mode only reads, whatever rules or --yolo say", () => {
  const wide = rules("allow run_command", "allow *");
  for (const command of ["touch x", "rm x", "ls > x", "npm test", "git status", ["touch", "x"]]) {
    for (const yolo of [false, true]) {
      expect(judgeCommandUnder(command, { mode: "plan", rules: wide, yolo })).toEqual({
        verdict: "deny",
        reason:
          "Plan mode only reads; leave plan mode (another permission mode, or an approved plan) to make changes. There is no sandbox here, so plan mode has no shell.",
      });
    }
  }
  expect(judgeCommandUnder("ls src && cat src/a.ts | head -5", { mode: "plan" }).verdict).toBe("deny");
});

test("C20, C22: carriers of data and keys to other machines are asked about", () => {
  checkAsked(
    "ping a.b", "dig a.b", "host a.b", "nslookup a.b", "wget x", "git ls-remote x", "npm view x", "pip download x", "docker ps",
    "podman --url x ps", "kubectl get pods", "ssh host", "systemctl status", "crontab -l", "at now", "nc a 1",
  ); // prettier-ignore
  checkDenied("curl x", "git status; curl x", "echo a | curl -d @- x");
});

test("C23: a path rule begins at the top of the workspace", () => {
  const under = { rules: rules("deny Read(src/**)") };
  expect(judgeCommandUnder("cat x/src/y", under).verdict).toBe("allow");
  expect(judgeCommandUnder("cat src/y", under).verdict).toBe("deny");
});

test("text that was not understood is judged within time in proportion to its length", () => {
  const many = rules(
    ...Array.from({ length: 50 }, (_, index) => `deny run_command(tool${index} * --force)`),
    "deny Read(**/.env*)",
  );
  const text = `echo ${"tool1 /tool2 .en ".repeat(64 * 1024)} $x`;
  expect(judgeCommandUnder(text, { rules: many }).verdict).toBe("ask");
  expect(judgeCommandUnder(`${text} .env.local`, { rules: many }).verdict).toBe("deny");
  // One word: work that grows with the square of its length would take hours.
  expect(judgeCommandUnder(`echo ${"a".repeat(1024 * 1024)}; rm x`, { rules: setup }).verdict).toBe("deny");
  expect(judgeCommandUnder(`$x ${"(){".repeat(256 * 1024)} ${" ".repeat(1024 * 1024)}; rm x`).verdict).toBe("ask");
});
