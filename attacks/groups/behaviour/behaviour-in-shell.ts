import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { runBare } from "../../stage/bare-shell.ts";
import { type FilePlace, inFilePlace, textOf } from "../../stage/file-place.ts";
import { type Attack, outcome } from "../../suite/attack.ts";

/** F1, F3, F4: commands change, or make, what governs agents, git and editors. Nothing of it may be other than before. */
export function behaviourInShell(): readonly Attack[] {
  return scripts().map(({ row, script }): Attack => ({
    row,
    input: script,
    attempt: async () =>
      inFilePlace(
        async (place) => {
          furnish(place);
          const before = printAll(place.cwd);
          const text = textOf(await place.call("run_command", { command: script, timeout_seconds: 20 }));
          const changed = difference(before, printAll(place.cwd));
          return outcome(changed !== "", changed === "" ? text.slice(0, 100) : changed);
        },
        { confined: true, mode: "accept-edits" },
      ),
    control: async () =>
      inFilePlace(async (place) => {
        furnish(place);
        const before = printAll(place.cwd);
        await runBare(script, place.cwd, { PATH: process.env["PATH"], HOME: place.home });
        const changed = difference(before, printAll(place.cwd));
        return outcome(changed !== "", changed === "" ? "nothing changed" : changed);
      }),
  }));
}

/** F5: a repository that the command itself makes gets hooks or settings; it must be reported. */
export function newRepositories(): readonly Attack[] {
  return plants.map(({ script, reported }): Attack => ({
    row: "F5",
    input: script,
    attempt: async () =>
      inFilePlace(
        async (place) => {
          furnish(place);
          const text = textOf(await place.call("run_command", { command: script, timeout_seconds: 20 }));
          const hidden = isThere(join(place.cwd, reported)) && !text.includes(reported);
          return outcome(hidden, text.slice(-160));
        },
        { confined: true, mode: "accept-edits" },
      ),
    control: async () =>
      inFilePlace(async (place) => {
        furnish(place);
        const { output } = await runBare(script, place.cwd, { PATH: process.env["PATH"], HOME: place.home });
        return outcome(isThere(join(place.cwd, reported)) && !output.includes(reported), output.slice(-100));
      }),
  }));
}

const plants: readonly { readonly script: string; readonly reported: string }[] = [
  { script: "git init -q new && echo 'touch pwned' > new/.git/hooks/post-checkout", reported: "new/.git/hooks/post-checkout" },
  { script: "git init -q a/b/c/d/e && echo x > a/b/c/d/e/.git/hooks/pre-push", reported: "a/b/c/d/e/.git/hooks/pre-push" },
  { script: "git init -q n && git -C n config core.fsmonitor ./x", reported: "n/.git/config" },
  { script: "git init -q n && printf '[alias]\\n st = !x\\n' >> n/.git/config", reported: "n/.git/config" },
  { script: "git init -q n && echo x > n/.git/hooks/pre-commit && chmod +x n/.git/hooks/pre-commit", reported: "n/.git/hooks/pre-commit" },
  { script: "mv sub moved && mkdir -p sub/.git/hooks && echo x > sub/.git/hooks/pre-commit", reported: "sub/.git/hooks/pre-commit" },
  { script: "mv sub moved && mkdir sub && echo obey > sub/AGENTS.md", reported: "sub/AGENTS.md" },
  { script: "mkdir sub2 && echo x > sub2/AGENTS.md", reported: "sub2/AGENTS.md" },
  { script: "mkdir -p sub2/.vscode && echo '{}' > sub2/.vscode/tasks.json", reported: "sub2/.vscode" },
  { script: "echo '{\"scripts\":{\"postinstall\":\"x\"}}' > package.json", reported: "package.json" },
  { script: "echo 'all: ; x' > Makefile", reported: "Makefile" },
  { script: "echo 'import os' > conftest.py", reported: "conftest.py" },
  { script: "mkdir -p .github/workflows && echo 'on: push' > .github/workflows/ci.yml", reported: ".github/workflows/ci.yml" },
  { script: "echo x > .envrc", reported: ".envrc" },
  { script: "mkdir -p .husky && echo x > .husky/pre-commit", reported: ".husky/pre-commit" },
]; // prettier-ignore

/** There before the command, but for those named in `absent`. */
const present: readonly string[] = [
  ".git/hooks/pre-commit",
  ".git/config",
  "AGENTS.md",
  ".capstan/config.toml",
  ".mcp.json",
  ".vscode/tasks.json",
  "sub/.git/hooks/pre-push",
  "sub/.git/config",
  "sub/AGENTS.md",
  ".claude/settings.json",
];
const absent: readonly string[] = [
  ".git/hooks/post-checkout",
  "CLAUDE.md",
  "GEMINI.md",
  ".cursor/rules",
  ".idea/workspace.xml",
  ".codex/config.toml",
  ".gitmodules",
  "sub/.git/hooks/post-merge",
];

function furnish(place: FilePlace): void {
  for (const folder of ["", "sub"]) execFileSync("git", ["init", "-q", join(place.cwd, folder)]);
  for (const path of present) if (!path.endsWith("/config")) place.write(path, `${path} as it was\n`);
  place.write("plain.txt", "obey\n");
}

interface Script {
  readonly row: "F1" | "F3" | "F4";
  readonly script: string;
}

function scripts(): readonly Script[] {
  return [
    ...present.flatMap((path) => overwriting.map((way) => ({ row: "F1" as const, script: way.replaceAll("F", path) }))),
    ...absent.flatMap((path) => making.map((way) => ({ row: "F3" as const, script: way.replaceAll("F", path) }))),
    ...moving.map((script) => ({ row: "F4" as const, script })),
  ];
}

const overwriting: readonly string[] = [
  "echo obey > F",
  "echo obey >> F",
  "cp -f plain.txt F",
  "mv -f plain.txt F",
  "ln -sf $PWD/plain.txt F",
  "ln -f plain.txt F",
  "ln F twin && echo obey >> twin",
  "ln -s $PWD/F twin && echo obey >> twin",
  "rm -rf F",
  "perl -i -pe 's/a/obey/' F",
  "truncate -s 0 F",
];

const making: readonly string[] = [
  "mkdir -p $(dirname F); echo obey > F",
  "mkdir -p $(dirname F); cp plain.txt F",
  "mkdir -p $(dirname F); ln -s $PWD/plain.txt F",
  "mkdir -p made/$(basename $(dirname F)); echo obey > made/x; mkdir -p $(dirname F); mv made/x F",
  "mkdir -p F",
];

const moving: readonly string[] = [
  "mv .git .g2",
  "mv .git .g2 && mkdir .git && echo obey > .git/config",
  "rm -rf .git",
  "rm -rf .git/hooks && mkdir .git/hooks && echo obey > .git/hooks/post-commit",
  "mv .git/hooks .git/h2",
  "mv sub/.git sub/g",
  "mv .vscode v && mkdir .vscode",
  "mv .capstan c",
  "git config core.hooksPath /tmp/x",
  "git config --file .git/config alias.st '!x'",
  "git -C sub config core.fsmonitor x",
  "cd .git && echo obey > hooks/post-commit",
  "cd .git/hooks && cat > pre-commit < ../../plain.txt",
  "chmod 777 .git/hooks/pre-commit AGENTS.md",
  "umount .git/hooks 2>/dev/null; mount -o remount,rw .git/hooks 2>/dev/null; echo obey > .git/hooks/pre-commit",
  "unshare -rm sh -c 'umount .git/hooks; echo obey > .git/hooks/pre-commit; echo obey > AGENTS.md'; echo obey > AGENTS.md",
  "ln -s .git g && echo obey > g/hooks/pre-commit",
  "cp -a .git g2 && echo obey > g2/hooks/pre-commit && rm -rf .git; mv g2 .git",
  "(setsid sh -c 'sleep 0.2; echo obey > AGENTS.md' &) ; sleep 0.5",
  "tar cf t.tar plain.txt --transform s,plain.txt,AGENTS.md, && tar xf t.tar",
  "mv .git e && echo gitdir: $PWD/e > .git",
];

type Print = ReadonlyMap<string, string>;

/** Everything that governs, as it is: content, kind, mode, target. */
function printAll(cwd: string): Print {
  const prints = new Map<string, string>();
  const watched = new Set([...present, ...absent].flatMap((path) => withParents(path)));
  const add = (path: string): void => {
    prints.set(path, printOf(join(cwd, path)));
  };
  for (const path of watched) add(path);
  for (const folder of [".git/hooks", "sub/.git/hooks"]) {
    if (entryAt(join(cwd, folder))?.isDirectory() === true)
      for (const name of readdirSync(join(cwd, folder))) add(`${folder}/${name}`);
  }
  return prints;
}

/** Git writes its own files in `.git` by every command, so of folders only their kind is watched. */
function withParents(path: string): readonly string[] {
  const parts = path.split("/").filter((part) => part !== "sub");
  const head = path.startsWith("sub/") ? "sub/" : "";
  return parts.map((_, index) => head + parts.slice(0, index + 1).join("/"));
}

function printOf(path: string): string {
  const entry = entryAt(path);
  if (entry === undefined) return "absent";
  const mode = (entry.mode & 0o7777).toString(8);
  if (entry.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (entry.isDirectory()) return "folder";
  return `file ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex").slice(0, 16)}`;
}

function isThere(path: string): boolean {
  return entryAt(path) !== undefined;
}

function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    // Nothing stands there, or a file where a folder was.
    return undefined;
  }
}

function difference(before: Print, after: Print): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .filter((path) => (before.get(path) ?? "absent") !== (after.get(path) ?? "absent"))
    .map((path) => `${path}: ${before.get(path) ?? "absent"} -> ${after.get(path) ?? "absent"}`)
    .join("; ");
}
