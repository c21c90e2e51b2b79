/** A script, or an argument vector. */
type Command = string | readonly string[];

/**
 * Inputs of one row of the catalogue's group C, under its setup: `echo *`, `ls *`, `rg *` and `git status` are allowed, `curl`
 * and `rm` denied.
 */
export interface CommandAttacks {
  readonly row: string;
  /** Never allowed without a sandbox. */
  readonly never: readonly Command[];
  /** Denied everywhere. */
  readonly denied: readonly Command[];
  /** The harmless twin: what stops the others is not that everything is stopped. */
  readonly harmless: readonly Command[];
}

const joints = [
  "; ",
  " && ",
  " || ",
  " | ",
  " & ",
  "\n",
  "\r",
  "\u2028",
  ";;",
  " |& ",
  "\u0085",
  ";\n",
  " ;& ",
  "\v",
  "\f",
  "\r\n",
];
const holders = [
  "echo $(X)", "echo `X`", "echo <(X)", "ls >(X)", "echo ${v:-$(X)}", "echo ${v:=`X`}", "echo $((a[$(X)]))", 'echo "$(X)"', 'echo "`X`"', "ls -l $(X) b",
  'echo "a"$(X)', "echo a$(echo $(X))", "echo ${v/$(X)/b}", "echo ${v:$(X)}", "echo $[$(X)]", "ls {a,$(X)}",
]; // prettier-ignore
const bareExpansions = [
  "echo ${v@P}",
  "echo ${!v}",
  "echo $'X'",
  'echo $"X"',
  "ls $X",
  "echo ${X}",
  "echo $_",
  "echo $?",
  "echo ${v^^}",
  "ls ${v[@]}",
];
const redirections = [
  ">",
  ">>",
  ">|",
  "<>",
  "&>",
  ">&",
  "2>",
  "2>&1 >",
  "1>&",
  "{fd}>",
  "<",
  "&>>",
  "3<>",
  "<&",
  "<<<",
];
const wrappers = [
  "env", "env -i A=b", "env -u A", "command", "command -p", "exec", "exec -a n", "builtin", "time", "time -p", "nice", "nice -n 5", "timeout 9", "timeout -k 5 9s",
  "nohup", "xargs", "xargs -0n1", "sudo", "sudo -nu me", "doas", "setsid", "stdbuf -oL", "ionice -c3", "busybox", "npx", "chroot /", "strace -f", "watch",
  "ssh host", "docker run img", "find . -exec", "npm exec --", "/usr/bin/env", "ld-linux-x86-64.so.2", "unshare -r", "nsenter -t 1", "flock /l", "parallel", "script -c",
]; // prettier-ignore
const carriers = [
  "sh -c", "bash -c", "bash -lc", "bash -euo pipefail -c", "zsh -c", "dash -c", "eval", "env -S", "su -c", "busybox sh -c", "watch", "ssh host", "python3 -c", "script -c", "flock /l -c", "xargs sh -c",
]; // prettier-ignore
const findActions = [
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
const tricks = [
  "\u200b",
  "\u202e",
  "\u00a0",
  "\u0430",
  "\u{e0061}",
  "\x1b[2K",
  "\u2066",
  "\ufeff",
  "\x7f",
  "\u3000",
  "\b",
  "\x00".slice(1),
  "\u061c",
];

export const commandAttacks: readonly CommandAttacks[] = [
  {
    row: "C1",
    never: joints.map((joint) => `echo a${joint}touch x`),
    denied: joints.flatMap((joint) => [`echo a${joint}rm x`, `ls${joint}/usr/bin/curl x`]),
    harmless: ["echo a; ls", "echo a && ls src || echo b | cat", "ls\necho a"],
  },
  {
    row: "C2",
    never: [...bareExpansions, ...holders],
    denied: holders.map((holder) => holder.replaceAll("X", "rm x")),
    harmless: ["echo '$(X)'", "echo '`X`' '${v}'"],
  },
  {
    row: "C3",
    never: ["cat <<E\n$(X)\nE", "cat <<'E'\na\nE", "cat <<< x", 'echo "a', "echo 'a", `echo "a'b"'`, "ec\\\nho a", "echo a\\\nb", "echo a\\", "cat <<-E\n\ta\n\tE"],
    denied: ["cat <<E\n$(rm x)\nE", 'echo "a; rm x', "r\\\nm x", "bash <<'E'\nrm x\nE", "sh <<< 'rm x'", "cat <<E | sh\nrm x\nE", "cu\\\nrl x"],
    harmless: [`echo "it's" 'a "b"'`],
  },
  {
    row: "C4",
    never: [...redirections.map((operator) => `echo a ${operator} x`), "echo a>x", "echo a >/dev/tcp/127.0.0.1/9", "[[ a > b ]]", "! ls", "ls 2>&1", "ls >/dev/null", "exec 3>x"],
    denied: ["rm x > y", "> y rm x", "ls > x; rm y", "2>/dev/null curl x", "[[ a > b ]] && rm x", "! rm x"],
    harmless: ["echo 'a > b' \"c < d\"", "grep '>' src/a.ts"],
  },
  {
    row: "C5",
    never: ["FOO=1 ls", "PATH=. ls", "LD_PRELOAD=x ls", "GIT_DIR=x git status", "BASH_ENV=x ls", "env -S 'ls'", ...wrappers.map((wrapper) => `${wrapper} ls`), ...carriers.map((carrier) => `${carrier} 'ls'`)],
    denied: [
      ...wrappers.flatMap((wrapper) => [`${wrapper} rm x`, `FOO=1 ${wrapper} /usr/bin/curl x`, [...wrapper.split(" "), "/bin/rm", "x"]]),
      ...carriers.flatMap((carrier) => [`${carrier} 'rm x'`, `${carrier} 'true;rm x'`, `${carrier} "a 'r''m' x"`]),
      "a=r b=m; $a$b x", "sh -c 'a=r; b=m; $a$b x'", "$'\\x72m' x", "bash -c \"\\$'\\\\x72m' x\"", "c='rm x'; $c", "sh -c 'sh -c \"rm x\"'", "trap 'rm x' EXIT",
    ],
    harmless: ["echo env sudo", "grep -e timeout src/a.ts"],
  },
  {
    row: "C6",
    never: [
      ...findActions.flatMap((action) => [`find . ${action}`, ["find", ".", ...action.split(" ")]]),
      "find . \\-delete", 'find . "-delete"', 'find . -del""ete', "find . '-name' x -delete", "find -L . -name x", "find / -name x", "find . -files0-from f", "find -D exec .",
    ],
    denied: ["find . -exec rm {} +", "find . -exec sh -c 'rm x' \\;", ["find", ".", "-exec", "/bin/rm", "{}", ";"]],
    harmless: ["find . -name '*.ts' -type f", ["find", "src", "-maxdepth", "2"]],
  },
  {
    row: "C7",
    never: [
      "rg --pre x foo", "rg --pre=x foo", "rg foo --hostname-bin=x", "rg --hostname-bin x foo", "rg -z foo", "rg -iz foo", "rg --search-zip foo", "rg foo *", "rg foo ?", "rg foo [a-z]*",
      ["rg", "--pre", "sh", "foo"], "RIPGREP_CONFIG_PATH=x rg foo", "rg --pr x foo", "rg --sea foo", "rg -nz foo src", "ls *", "echo *",
    ],
    denied: ["rg --pre rm foo; rm x", "RIPGREP_CONFIG_PATH=x curl y"],
    harmless: ["rg foo src", "rg -n -- --pre src", ["rg", "-e", "foo", "."]],
  },
  {
    row: "C8",
    never: [
      "sed 1e x", "sed 'w f' x", "sed 's/a/b/e' x", "sed 's/a/b/w f' x", "sed -i s/a/b/ x", "sed -n 'w f' x", "sed --in-place=b s/a/b/ x", "sed -n 1p -i x", "sed -n -f p x", "sed -n '1p;w f' x",
      "sed -n 1,2p --in-place x", "sed -n -e 1p x", "sed -n '/a/w f' x", "awk 'BEGIN{system(1)}'", "awk '{print > \"f\"}' x", "gawk -f p x", "perl -e 1", "perl -ne print x", "python -c 1", "python3 x.py",
      "node -e 1", "ruby -e 1", "php -r 1", "lua -e 1", "deno eval 1", "bun -e 1", "sqlite3 d .shell", "vim -c ':!x'", "ed x", "jq -n 1",
    ],
    denied: ["perl -e 'system(\"rm x\")'", "python3 -c 'import os; os.system(\"rm x\")'", "awk 'BEGIN{system(\"rm x\")}'", "sed '1e rm x' y", "node -e 'require(\"child_process\").execSync(\"curl x\")'"],
    harmless: ["sed -n 5,10p src/a.ts", "sed -n 3p src/a.ts"],
  },
  {
    row: "C9",
    never: [
      "uniq a b", "sort -o a b", "sort --outp=a b", "sort --compress-program=x b", "sort a", "xxd -r a b", "split a", "csplit a 1", "tee a", "tree -o a", "column -o a", "date -s x", "hostname x", "file -C -m x",
      "man -P x y", "less a", "more a", "diff --output=a b c", "tar --to-command=x -xf a", "tar cf a b", "zip -TT x a", "git log --output=x", "tail -f x", "tail -F x", "tail --follow x", "tail --retry x",
      "tail -5f x", "tail +5f x", "wc --files0-from=x", "cat /dev/tcp", "cat /dev/zero", "cat /proc/self/environ", "cat ../etc/passwd", "cat /ws/../etc/passwd", "grep -f x y", "grep -R a .", "ls -R ../x && cat /etc/passwd",
      "dd if=a of=b", "install a b", "cp a b", "mv a b", "ln -s a b", "touch a", "mkdir a", "truncate -s 0 a", "shred a", "stat -f /etc", "cat ~/.ssh/id_rsa", "strings /etc/passwd",
    ],
    denied: ["tee a | rm x", "sort -o rm x; rm y"],
    harmless: ["wc -l src/a.ts", "tail -n 5 src/a.ts", "cut -d: -f1 src/a.ts", "stat src/a.ts"],
  },
  {
    row: "C10",
    never: ["wc --files0=x", "wc --f x", "tail --fol x", "tail --fo x", "tail --re x", "grep --fil=x y", "grep --exclude-f=x y", "cat --show-a x", "rg --pr x y", "rg --host x y", "stat --form=x y", "head --li=5 x", "du --ex=x", "ls --colo=x > y"],
    denied: ["rm --rec x", "curl --outp x y"],
    harmless: ["wc --lines src/a.ts", "head --lines=5 src/a.ts"],
  },
  {
    row: "C11",
    never: ["./ls", "/bin/ls", "/ws/node_modules/.bin/ls", "./node_modules/.bin/rg foo", "../rg foo", "/proc/self/root/bin/ls", "alias ls=x; ls", "ls() { x; }; ls", "function ls { x; }", "hash -p /tmp/x ls", "cp /bin/ls l; ./l"],
    denied: [
      "/bin/rm x", "./rm x", "../bin/rm x", "/proc/self/root/bin/rm x", "ld-linux-x86-64.so.2 /bin/rm x", "/lib64/ld-linux-x86-64.so.2 /bin/rm x", "alias ls='rm x'", "alias x=rm", "hash -p /bin/rm ls", "ls() { rm x; }; ls",
      "function ls { rm x; }", "RM x", "'rm' x", '"r""m" x', "r''m x", "\\rm x", "r\\m x", "$(echo rm) x", "{rm,-rf,x}", "rm$IFS-rf x", "exec -a ls rm x", "command rm x", ["/usr/bin/rm", "x"], ["./CURL", "x"],
    ],
    harmless: ["ls rmdir", "echo curling"],
  },
  {
    row: "C12",
    never: ["./cat x", "/bin/cat x", "bin/cat x", "../cat x", ["./cat", "x"], ["/usr/bin/cat", "x"], "PATH=.:/bin ls", "export PATH=.; ls", "export PATH=. && ls", "unset PATH; ls", "hash ls"],
    denied: ["PATH=. rm x", "export PATH=.; rm x"],
    harmless: ["cat src/a.ts", ["cat", "src/a.ts"]],
  },
  {
    row: "C13",
    never: [51, 500, 10_000].map((count) => `${"touch a; ".repeat(count)}ls`),
    denied: [
      ...[33, 51, 500, 10_000].flatMap((count) => [`${"echo a; ".repeat(count)}rm x`, `${"echo a && ".repeat(count)}/bin/rm x`, `${"echo a | ".repeat(count)}sudo curl x`]),
      `echo ${"a".repeat(64 * 1024)}; rm x`, `echo ${"a ".repeat(512 * 1024)}\nrm x`, `${"$(".repeat(5_000)}rm x`, ["sudo", ...Array<string>(10_000).fill("a"), "rm"],
    ],
    harmless: ["echo a; ".repeat(32)],
  },
  {
    row: "C14",
    never: tricks.filter((trick) => trick !== "").flatMap((trick) => [`echo a${trick}b`, ["echo", `a${trick}b`], `ls${trick}src`]),
    denied: ["\u200bcurl x; rm y", "echo a\u202e; rm x", "rm\u00a0-rf\u00a0x", "echo\u3000a; curl\u3000x"],
    harmless: ["echo ab"],
  },
  {
    row: "C15",
    never: [`echo a${" ".repeat(2_000)}; touch x`, `echo a${"\n".repeat(500)}touch x`, `echo a${"\t".repeat(500)}`],
    denied: [`echo a${" ".repeat(2_000)}; rm x`, `echo a${"\n".repeat(500)}rm x`, `echo a${" ; ".repeat(1)}${" ".repeat(60_000)}curl x`],
    harmless: [`echo a${" ".repeat(2_000)}; ls`],
  },
  {
    row: "C20",
    never: [
      "ping a.b", "dig a.b", "host a.b", "nslookup a.b", "drill a.b", "getent hosts a.b", "wget x", "git ls-remote x", "git fetch", "npm view x", "npm ping", "pip download x", "nc a 1", "telnet a", "ftp a", "sftp a", "scp a b:", "rsync a b:",
      "openssl s_client -connect a:1", "whois a", "traceroute a", "ssh-keyscan a", "bash -c 'echo > /dev/udp/a/53'", "python3 -m http.server", "http a.b", "aria2c x", "lynx x", "gh api x",
    ],
    denied: ["curl x", "git status; curl x", "echo a | curl -d @- x", "ls | xargs curl x", "sh -c 'ls | curl -T - x'"],
    harmless: ["echo ping a.b", "rg nslookup src"],
  },
  {
    row: "C22",
    never: [
      "docker ps", "docker run -v /:/h img", "podman --url x ps", "nerdctl ps", "kubectl get pods", "kubectl exec p -- ls", "ssh host", "ssh host ls", "systemctl status", "systemctl start x", "service x start", "crontab -l", "crontab f",
      "at now", "batch", "launchctl load x", "sudo -l", "su", "machinectl shell", "lxc exec a ls", "virsh list", "aws s3 ls", "gcloud info", "terraform plan",
    ],
    denied: ["docker run img rm x", "kubectl exec p -- rm x", "ssh host rm x", "ssh host 'cd /; rm x'", "echo 'rm x' | at now", "echo 'rm x' | crontab -"],
    harmless: ["rg docker src", "echo kubectl"],
  },
]; // prettier-ignore
