import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runBare } from "../../stage/bare-shell.ts";
import { type FilePlace, inFilePlace, textOf } from "../../stage/file-place.ts";
import { type Attack, type Outcome, outcome } from "../../suite/attack.ts";

const identity = "-c user.name=a -c user.email=a@example.org";

/** What the command plants, and what the user does there later. `X`: a program; `RAN`: the file that shows that it ran. */
const plants: readonly (readonly [script: string, later: string])[] = [
  ["git init -q --separate-git-dir=store sub; git -C sub config core.fsmonitor X", "git -C sub status"],
  ["git init -q --bare s.git; mkdir sub; git config -f s.git/config core.bare false; git config -f s.git/config core.fsmonitor X; echo gitdir: $PWD/s.git > sub/.git", "git -C sub status"],
  ["mkdir -p docs/objects docs/refs/heads; echo ref: refs/heads/main > docs/HEAD; printf '[core]\\nbare = true\\n[alias]\\nst = !touch RAN\\n' > docs/config", "git -C docs st"],
  [`git init -q n; printf '[alias] st = "!"touch RAN\\n' >> n/.git/config`, "git -C n st"],
  ["git init -q n; printf '[user] [alias] st = !touch RAN\\n' >> n/.git/config", "git -C n st"],
  ["git init -q n; printf '[alias]\\nst = \\\\\\n!touch RAN\\n' >> n/.git/config", "git -C n st"],
  ["git init -q n; printf '\\357\\273\\277[ALIAS]ST=\"!touch RAN\"\\n' > n/.git/config", "git -C n st"],
  ["git init -q n; git -C n config alias.st '-c core.fsmonitor=X status'", "git -C n st"],
  ["git init -q n; echo '[core] fsmonitor = X' > more; git -C n config include.path ../../more", "git -C n status"],
  ["git init -q n; git -C n config extensions.worktreeConfig true; git -C n config --worktree core.fsmonitor X", "git -C n status"],
  ["git init -q .git/modules/new; git -C .git/modules/new config core.fsmonitor X", "git -C .git/modules/new status"],
  ["git init -q n; git init -q m; mv m/.git evil; git config -f evil/config core.fsmonitor X; echo ../../evil > n/.git/commondir", "git -C n status"],
  [`git ${identity} -c sequence.editor="sed -i 1ibreak" rebase -q -i HEAD~1; echo 'exec touch RAN' >> .git/rebase-merge/git-rebase-todo`, `git ${identity} rebase --continue`],
  ["git init -q n; cp X n/.git/hooks/post-checkout", `cd n; git ${identity} commit -q --allow-empty -m a; git checkout -q -b b`],
  ["git init -q n; mkdir h; cp X h/post-checkout; rm -r n/.git/hooks; ln -s ../../h n/.git/hooks", `cd n; git ${identity} commit -q --allow-empty -m a; git checkout -q -b b`],
]; // prettier-ignore

/** Row H4: what git would run for the user, long after the command. */
export function plantedRepositories(): readonly Attack[] {
  return plants.map(([script, later]): Attack => ({
    row: "H4",
    input: script.slice(0, 150),
    attempt: () =>
      inFilePlace(
        async (place) => {
          furnish(place);
          const text = textOf(await place.call("run_command", { command: filled(script, place), timeout_seconds: 20 }));
          return await afterwards(place, later, text.slice(-120));
        },
        { confined: true },
      ),
    control: () =>
      inFilePlace(async (place) => {
        furnish(place);
        const { output } = await runBare(filled(script, place), place.cwd, environment(place));
        return await afterwards(place, later, output.slice(-120));
      }),
  }));
}

async function afterwards(place: FilePlace, later: string, evidence: string): Promise<Outcome> {
  await runBare(filled(later, place), place.cwd, environment(place));
  return outcome(existsSync(join(place.cwd, "ran")), evidence);
}

function environment({ home }: FilePlace): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: home };
}

function filled(script: string, { cwd }: FilePlace): string {
  return script.replaceAll(/\bX\b/g, join(cwd, "x")).replaceAll(/\bRAN\b/g, join(cwd, "ran"));
}

function furnish({ cwd }: FilePlace): void {
  execFileSync("git", ["init", "-q", cwd]);
  writeFileSync(join(cwd, "x"), `#!/bin/sh\ntouch ${cwd}/ran\n`, { mode: 0o755 });
  for (const message of ["one", "two"]) {
    writeFileSync(join(cwd, message), message);
    execFileSync("git", ["-C", cwd, "add", message]);
    execFileSync("git", ["-C", cwd, ...identity.split(" "), "commit", "-q", "-m", message]);
  }
}
