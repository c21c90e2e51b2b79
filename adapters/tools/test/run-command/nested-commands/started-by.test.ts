import { expect, test } from "vitest";
import { maxGuesses } from "../../../src/run-command/nested-commands/limits.ts";
import { programName, readsScript, startedBy } from "../../../src/run-command/nested-commands/started-by.ts";

/** What a command starts: words with blanks between them, a script in brackets. */
function starts(command: string): readonly string[] {
  const words = command.split(" ").map((word) => word.replaceAll("·", " "));
  return startedBy(words).map((started) =>
    started.type === "words" ? started.words.join(" ") : `[${started.script}]`,
  );
}

/** A blank inside of a word is written `·`. */
test.each<[string, ...string[]]>([
  // Options with a value, its value joined, and those without.
  ["env -u A -C /tmp -i B=c D=e rm x", "rm x"],
  ["env -uA rm x", "rm x"],
  ["env --split-string=rm·x", "[rm x]"],
  ["env -Srm·x", "[rm x]"],
  ["env A=b"],
  ["sudo -u me -g us -p ? -C 3 -r r -t t -T 5 -D / -R / -h host -U you A=b rm x", "rm x"],
  ["sudo -n rm x", "rm x"],
  ["sudo -un rm x", "rm x"],
  ["sudo -nu me rm x", "rm x"],
  ["doas -u me -C conf rm x", "rm x"],
  ["pkexec -u me rm x", "rm x"],
  ["timeout -k 5 -s KILL 9 rm x", "rm x"],
  ["timeout --preserve-status 9 rm x", "rm x"],
  ["timeout 9"],
  ["timeout -- 9 rm x", "rm x"],
  ["nice -n 5 rm x", "rm x"],
  ["nice rm x", "rm x"],
  ["ionice -c 2 -n 7 rm x", "rm x"],
  ["chrt -r 10 rm x", "rm x"],
  ["taskset 0x1 rm x", "rm x"],
  ["exec -a ls rm x", "rm x"],
  ["time -f %e -o file rm x", "rm x"],
  ["xargs -E e -I {} -L 1 -n 2 -P 3 -s 9 -d , -a file rm x", "rm x"],
  ["stdbuf -i 0 -o 0 -e 0 rm x", "rm x"],
  ["script -q -c rm·x file", "[rm x]", "file"],
  ["script -O log rm x", "rm x"],
  ["watch -n 5 rm x", "[rm x]"],
  ["flock -w 3 /lock rm x", "rm x"],
  ["flock /lock --command=rm·x", "[rm x]"],
  ["strace -e open -o out -p 1 -s 9 -u me rm x", "rm x"],
  ["ltrace -n 2 -l lib rm x", "rm x"],
  ["chroot /root rm x", "rm x"],
  ["unshare -R / -S 0 -G 0 rm x", "rm x"],
  ["systemd-run -u name -p A=b -E C=d rm x", "rm x"],
  ["caffeinate -t 5 rm x", "rm x"],
  ["faketime -f now when rm x", "rm x"],
  ["fakeroot -l lib -s state rm x", "rm x"],
  ["proxychains4 -f conf rm x", "rm x"],
  ["cgexec -g group rm x", "rm x"],
  ["sshpass -p word rm x", "rm x"],
  ["ssh -i key -p 22 -l me host rm x", "[rm x]"],
  ["ssh -o ProxyCommand=rm·x host ls", "[rm x]", "[ls]"],
  ["ssh -oLocalCommand=rm·x host", "[rm x]"],
  ["ssh -v host rm x", "[rm x]"],
  ["npx -p package rm x", "rm x"],
  ["npx --call=rm·x", "[rm x]"],
  ["nohup"],
  ["setsid rm x", "rm x"],
  // Where too much may stand before it, each word may begin it.
  ["su -c rm·x me", "[rm x]", "me"],
  ["su me --command=rm·x", "me --command=rm·x".replace("·", " ")],
  ["docker run img rm", "run img rm", "img rm", "rm"],
  ["parallel rm x", "[rm x]", "rm x", "x"],
  ["perf stat rm x", "rm x", "x"],
  ["nix-shell --run rm·x", "[rm x]"],
  ["npm exec rm x", "rm x", "x"],
  ["npm install rm"],
  ["pnpm dlx rm", "rm"],
  ["uv run rm", "rm"],
  ["npm exec -c rm·x", "[rm x]"],
  // Shells take the first word behind `-c` that is no option.
  ["sh -c rm·x name", "[rm x]"],
  ["bash -o pipefail -ec rm·x", "[rm x]"],
  ["bash -c -o pipefail rm·x", "[rm x]"],
  ["bash +xc -e rm·x", "[rm x]"],
  ["bash file -x"],
  ["bash -c"],
  ["ld-linux-x86-64.so.2 rm x", "rm x"],
  ["ld.so rm x", "rm x"],
  ["ld.gold rm x"],
  ["eval rm x", "[rm x]"],
  ["trap rm·x EXIT INT", "[rm x]"],
  ["trap"],
  ["alias a=rm·x b c=ls", "[rm x]", "[ls]"],
  ["hash -p rm x", "rm x"],
  ["hash -r rm"],
  ["mapfile -C rm·x -c 1 a", "[rm x]"],
  ["complete -C rm·x a", "[rm x]"],
  ["complete -c rm·x a"],
  ["git -c alias.x=!rm·x x", "[rm x]"],
  ["git -c core.pager=rm·x log", "[rm x]"],
  ["git fetch --upload-pack rm·x", "[rm x]"],
  ["git fetch --upload-pack=rm·x", "[rm x]"],
  ["git filter-branch --tree-filter rm·x", "[rm x]"],
  ["git rebase -x rm·x main", "[rm x]"],
  ["git submodule foreach rm x", "rm x", "[rm x]"],
  ["git bisect run rm x", "rm x", "[rm x]"],
  ["git commit -m foreach"],
  ["git foreach rm"],
  ["git lfs run rm"],
  ["find a -exec rm x ; -ok ls {} +", "rm x", "ls {}"],
  ["find a -execdir rm x", "rm x"],
  ["find a -x rm"],
  ["fd a --exec rm x", "rm x"],
  ["fdfind a -X rm x", "rm x"],
  ["ls -x rm"],
  ["tar --checkpoint-action=exec=rm·x", "[rm x]"],
  ["rg --pre=rm·x a", "[rm x]"],
  ["less --pager="],
  ["rsync -e rm·x a b", "[rm x]"],
  ["rsync -ave rm·x a b", "[rm x]"],
  ["nc -c rm·x host", "[rm x]"],
  ["ncat -e rm·x host", "[rm x]"],
  ["grep -e rm"],
  ["true"],
])("%s", (command, ...expected) => {
  expect(starts(command)).toEqual(expected);
});

test("so many words are guesses for where a command begins, and no more", () => {
  const words = Array.from({ length: maxGuesses + 5 }, (_, at) => `w${at}`);
  expect(startedBy(["docker", ...words]).length).toBe(maxGuesses);
});

test("a program is known by its last name, in any case", () => {
  expect(["/usr/bin/Env", "env", "./a/b/RM"].map(programName)).toEqual(["env", "env", "rm"]);
});

test("who reads a script from standard input is known, however it is started", () => {
  const reading = [
    "sh",
    "bash -s",
    "sudo sh",
    "env A=b bash",
    ". /dev/stdin",
    "source x",
    "at now",
    "crontab -",
    "parallel",
  ];
  const others = ["sh -c ls", "bash -lc ls", "cat sh.txt", "ls", "echo a"];
  expect(reading.filter((command) => !readsScript(command.split(" ")))).toEqual([]);
  expect(others.filter((command) => readsScript(command.split(" ")))).toEqual([]);
});
