import { describe, expect, test } from "vitest";
import { type NestedCommands, nestedCommands } from "../../../src/run-command/nested-commands/nested-commands.ts";
import {
  maxNestedCommands,
  maxReportedCharacters,
  maxWrapperDepth,
} from "../../../src/run-command/nested-commands/limits.ts";

async function found(script: string): Promise<NestedCommands> {
  return await nestedCommands({ type: "script", script, shell: "/bin/bash" });
}

/** How `rm x` is reached; `undefined`: not found. `script itself`: it is one of the script's own commands. */
async function reachOfRemoval(script: string): Promise<string | undefined> {
  const { commands } = await found(script);
  const removal = commands.find(({ words }) => (words[0] ?? "").endsWith("rm") && words.includes("x"));
  return removal === undefined ? undefined : (removal.via ?? "script itself");
}

describe("a command is found wherever it stands", () => {
  test.each([
    ["rm x", "script itself"],
    ["r''m x", "script itself"],
    ["\\rm x", "script itself"],
    ["$'\\x72m' x", "script itself"],
    ["FOO=1 rm x > f 2>&1", "script itself"],
    ["a=r b=m; $a$b x", "script itself"],
    ["x=rm; ${x} x", "script itself"],
    ["c='rm x'; $c", "script itself"],
    ["${a:-rm} x", "script itself"],
    ["{rm,-rf,x}", "script itself"],
    ["rm$IFS-rf${IFS}x", "script itself"],
    ["true && { false || ! rm x; } &", "script itself"],
    ["(cd /; (rm x))", "script itself"],
    ["if a; then b; elif rm x; then c; fi", "script itself"],
    ["for i in 1 2; do rm x; done", "script itself"],
    ["for ((i=0;i<2;i++)); do rm x; done", "script itself"],
    ["while read l; do rm x; done < f", "script itself"],
    ["until a; do rm x; done", "script itself"],
    ["select s in a; do rm x; done", "script itself"],
    ["case y in a) ;; *) rm x ;; esac", "script itself"],
    ["time -p rm x", "script itself"],
    ["echo a | cat |& rm x", "script itself"],
    ["f() { rm x; }; f", "function"],
    ["function f { ( rm x ) ; }", "function"],
    ["coproc rm x", "coproc"],
    ["coproc N { rm x; }", "coproc"],
    ["echo $(rm x)", "substitution"],
    ['echo "a $(b "$(rm x)")"', "substitution"],
    ["echo `rm x`", "substitution"],
    ["echo `a \\`rm x\\``", "substitution"],
    ["echo ${v:-$(rm x)}", "substitution"],
    ["echo ${v/a/$(rm x)}", "substitution"],
    ["echo ${v[$(rm x)]}", "substitution"],
    ["echo $((a[$(rm x)]))", "substitution"],
    ["(( a = $(rm x) ))", "substitution"],
    ["let a=$(rm x)", "substitution"],
    ["v=$(rm x)", "substitution"],
    ["v=(a $(rm x))", "substitution"],
    ["v[$(rm x)]=1", "substitution"],
    ["export V=`rm x`", "substitution"],
    ["[[ -n $(rm x) && a ]]", "substitution"],
    ["[ -n $(rm x) ]", "substitution"],
    ["echo a > $(rm x)", "substitution"],
    ["cat <<E\n$(rm x)\nE", "substitution"],
    ["cat <<< $(rm x)", "substitution"],
    ["case $(rm x) in a) ;; esac", "substitution"],
    ["for i in $(rm x); do :; done", "substitution"],
    ["diff <(rm x) a", "process substitution"],
    ["tee >(rm x)", "process substitution"],
  ])("%j: %s", async (script, via) => {
    expect(await reachOfRemoval(script)).toBe(via);
  });
});

describe("a wrapper is opened, however its options stand", () => {
  test.each([
    ["env -i A=b rm x", "env"],
    ["env -u A --chdir=/ rm x", "env"],
    ["env -S 'A=b rm x'", "env -S"],
    ["/usr/bin/env rm x", "env"],
    ["command -p rm x", "command"],
    ["exec -a ls rm x", "exec"],
    ["builtin rm x", "builtin"],
    ["\\time -f %e rm x", "time"],
    ["nice -n 5 rm x", "nice"],
    ["nice -5 rm x", "nice"],
    ["timeout -k 5 9 rm x", "timeout"],
    ["timeout --signal=KILL 9s rm x", "timeout"],
    ["nohup rm x &", "nohup"],
    ["find . | xargs -0 -n 1 rm x", "xargs"],
    ["xargs -I{} rm x {}", "xargs"],
    ["sudo -u me -- rm x", "sudo"],
    ["sudo -nE A=b rm x", "sudo"],
    ["doas -u me rm x", "doas"],
    ["stdbuf -oL rm x", "stdbuf"],
    ["setsid -w rm x", "setsid"],
    ["busybox rm x", "busybox"],
    ["find . -name a -exec rm x {} +", "find -exec"],
    ["find . -okdir rm x \\;", "find -okdir"],
    ["fd a -x rm x", "fd -x"],
    ["ssh -p 22 -o User=a host rm x", "ssh"],
    ["ssh host 'cd /; rm x'", "ssh"],
    ["ssh -oProxyCommand='rm x' host", "ssh -o"],
    ["parallel rm x ::: a", "parallel"],
    ["watch -n 5 rm x", "watch"],
    ["flock -w 3 /l rm x", "flock"],
    ["flock /l -c 'rm x'", "flock -c"],
    ["chroot --userspec=a /r rm x", "chroot"],
    ["unshare -r rm x", "unshare"],
    ["nsenter -t 1 -m rm x", "nsenter"],
    ["strace -f -o o rm x", "strace"],
    ["ld-linux-x86-64.so.2 /bin/rm x", "ld-linux-x86-64.so.2"],
    ["npx -p a -c 'rm x'", "npx -c"],
    ["npm exec -- rm x", "npm exec"],
    ["docker run --rm -it img rm x", "docker"],
    ["systemd-run --user -p A=b rm x", "systemd-run"],
    ["git -c alias.a='!rm x' a", "git -c"],
    ["git submodule foreach 'rm x'", "git submodule foreach"],
    ["git bisect run rm x", "git bisect run"],
    ["git rebase -x 'rm x' main", "git"],
    ["git rebase --exec='rm x' main", "git"],
    ["tar -xf a --to-command='rm x'", "tar"],
    ["trap 'rm x' EXIT", "trap"],
    ["alias ls='rm x'", "alias"],
    ["hash -p /bin/rm x", "hash -p"],
    ["mapfile -C 'rm x' a", "mapfile -C"],
    ["sh -c 'rm x'", "sh -c"],
    ["bash -lc 'true; rm x'", "bash -c"],
    ["bash -o pipefail -euc 'rm x'", "bash -c"],
    ["zsh -c 'rm x' a b", "zsh -c"],
    ["eval 'rm' x", "eval"],
    ["eval \"$(echo 'rm x')\"; eval 'rm x'", "eval"],
    ["bash <<E\nrm x\nE", "bash"],
    ["sh <<< 'rm x'", "sh"],
    ["source /dev/stdin <<< 'rm x'", "source"],
    ["echo 'rm x' | bash -s", "bash through a pipe"],
    ["printf 'rm x' | sudo sh", "sudo through a pipe"],
    ["cat <<E | sh\nrm x\nE", "sh through a pipe"],
    ["sudo timeout 9 env A=b nice sh -c 'eval \"rm x\"'", "eval"],
  ])("%j: %s", async (script, via) => {
    expect(await reachOfRemoval(script)).toBe(via);
  });
});

test("words that only look like a command are not taken for one", async () => {
  const scripts = [
    "echo rm x",
    "git commit -m 'rm x'",
    "cat <<'E'\n$(rm x)\nE",
    "echo '$(rm x)'",
    "ls # rm x",
    "grep -e rm x",
  ];
  const reached = await Promise.all(scripts.map(reachOfRemoval));
  expect(reached).toEqual(scripts.map(() => undefined));
});

test("an argument vector is one command, and what it starts", async () => {
  expect(await nestedCommands({ type: "argv", argv: ["sudo", "sh", "-c", "rm x; a b"] })).toEqual({
    commands: [
      { words: ["sudo", "sh", "-c", "rm x; a b"] },
      { words: ["sh", "-c", "rm x; a b"], via: "sudo" },
      { words: ["rm", "x"], via: "sh -c" },
      { words: ["a", "b"], via: "sh -c" },
    ],
    complete: true,
  });
  const words = ["echo", "$(rm x)", "`rm x`"];
  expect(await nestedCommands({ type: "argv", argv: words })).toEqual({ commands: [{ words }], complete: true });
});

test("wrappers are followed so deep, and at the deepest it is said that there may be more", async () => {
  for (const [depth, complete] of [
    [maxWrapperDepth - 1, true],
    [maxWrapperDepth, false],
    [maxWrapperDepth + 1, false],
  ] as const) {
    const argv = [...Array<string>(depth).fill("sudo"), "rm", "x"];
    const walked = await nestedCommands({ type: "argv", argv });
    expect([depth, walked.complete, walked.commands.length]).toEqual([
      depth,
      complete,
      Math.min(depth, maxWrapperDepth) + 1,
    ]);
  }
});

test("what cannot be read is reported", async () => {
  const unreadable = ["$x y", "if rm x", "echo $(", '"', "$(echo rm) x", "/bin/r? x", `sudo ${"sudo ".repeat(40)}rm`];
  for (const script of unreadable) expect([script, (await found(script)).complete]).toEqual([script, false]);
});

describe("no text costs more than its share", () => {
  const quadratic = 3_000;
  test.each([
    ["commands", "echo a; ".repeat(131_072)],
    ["different commands", Array.from({ length: 20_000 }, (_, index) => `a${index}`).join(";")],
    ["long words", `echo ${"a".repeat(1_000_000)}`],
    ["open substitutions", "$(".repeat(quadratic)],
    ["closed substitutions", `${"echo $(".repeat(200)}rm x${")".repeat(200)}`],
    ["backticks", "`".repeat(60_000)],
    ["quotes in substitutions", '"$('.repeat(20_000)],
    ["arithmetic", "$((".repeat(20_000)],
    ["defaults", "${a:-".repeat(20_000)],
    ["here-documents", "cat <<E\n".repeat(8_000)],
    ["groups", "(".repeat(60_000)],
    ["braces", "{a,".repeat(20_000)],
    ["conditions", "if ".repeat(20_000)],
    ["tests", "[[ ( ".repeat(12_000)],
    ["doubling variables", `x=aaaa;${"x=$x$x;".repeat(5_000)}$x`],
    ["wrappers", `${"sudo ".repeat(12_000)}rm`],
    ["guessed wrappers", `${"docker ".repeat(8_000)}rm`],
    ["shells in words", `${"sh -c '".repeat(1_000)}rm x`],
    ["an alias of everything", "alias a='alias b=c';".repeat(5_000)],
  ])("%s", async (_, script) => {
    const { commands } = await found(script);
    const reported = commands.reduce((sum, { words }) => sum + words.join("").length, 0);
    expect([commands.length <= maxNestedCommands, reported <= maxReportedCharacters]).toEqual([true, true]);
  });
});
