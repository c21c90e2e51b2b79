import { lexScript } from "./lexer.ts";

/** The words among which a command starts other commands; empty when it starts none that we know of. */
export function startsOtherCommands(words: readonly string[]): readonly string[] {
  const [program = "", ...others] = words;
  const name = baseName(program);
  if (isWrapper(name) || packageRunners.get(name)?.includes(others[0] ?? "") === true) return others;
  const first = others.findIndex(
    (word) => executingActions.has(word) || (name.startsWith("fd") && fdActions.test(word)),
  );
  return first === -1 ? [] : others.slice(first + 1);
}

/** Arguments of a command that another program will read as code. */
export function carriedScripts(words: readonly string[]): readonly string[] {
  const [program = "", ...others] = words;
  const name = baseName(program);
  const readsCode =
    isWrapper(name) || interpreters.test(name) || evaluators.has(name) || (name === "git" && others.includes("-c"));
  return readsCode ? others.filter((word) => /[^A-Za-z0-9_./-]/.test(word)) : [];
}

/** Whether a command's first word runs what its other words say: a program, or text as code. Not those that run tasks of a file by name. */
export function runsOtherCode(words: readonly string[]): boolean {
  const name = baseName(words[0] ?? "");
  const readsText = (interpreters.test(name) && !/^g?make$/.test(name)) || evaluators.has(name);
  return isWrapper(name) || readsText || changesShell(words) || startsOtherCommands(words).length > 0;
}

/**
 * Whether a command hides a script that nobody can read word by word: a shell or `eval` whose text is not plain, also behind
 * wrappers (`sudo sh -c …`).
 * @returns what the hidden script has, as `LexedScript.why`
 */
export function hiddenScript(words: readonly string[]): string | undefined {
  const started = startsOtherCommands(words);
  const inner = started.findIndex((word) => shells.has(baseName(word)) || baseName(word) === "eval");
  return hiddenAtStart(words) ?? (inner === -1 ? undefined : hiddenAtStart(started.slice(inner)));
}

function hiddenAtStart([program = "", ...others]: readonly string[]): string | undefined {
  const name = baseName(program);
  if (shells.has(name)) return hiddenInShell(others);
  if (name === "eval" || name === "." || name === "source") return "text that the shell reads as a script";
  if (evaluators.has(name)) {
    return others.some((word) => /[$`]/.test(word)) ? "text that the shell may read as a script" : undefined;
  }
  return name === "env" && others.some((word) => /^-[a-zA-Z]*S|^--s/.test(word))
    ? "a command line inside a word"
    : undefined;
}

function hiddenInShell(args: readonly string[]): string | undefined {
  const [flag, script] = args;
  if ((flag === "-c" || flag === "-lc") && script !== undefined && args.length === 2) {
    const lexed = lexScript(script);
    return lexed.type === "opaque" ? lexed.why : undefined;
  }
  return args.some((word) => /^-[a-zA-Z]*c/.test(word)) ? "a script for another shell" : undefined;
}

/** Commands after which the shell means something else by the same words. */
export function changesShell(words: readonly string[]): boolean {
  return shellChangers.has(words[0] ?? "");
}

const shells: ReadonlySet<string> = new Set("sh bash dash ash zsh ksh mksh fish rbash".split(" "));

const wrappers: ReadonlySet<string> = new Set(
  (
    "env sudo doas su runuser sg pkexec timeout nice ionice chrt taskset nohup setsid time command exec builtin xargs parallel " +
    "busybox toybox stdbuf unbuffer script watch flock strace ltrace gdb perf valgrind chroot unshare nsenter setpriv capsh " +
    "firejail bwrap ssh docker podman kubectl nerdctl npx bunx pnpx uvx pipx entr at batch crontab systemd-run dbus-run-session " +
    "eval source . trap alias hash enable export declare typeset coproc caffeinate arch rlwrap faketime fakeroot proxychains"
  ).split(" "),
);
const packageRunners: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["exec", "x", "dlx"]] as const),
  ...["uv", "poetry", "pipenv", "bundle"].map((name) => [name, ["run", "exec"]] as const),
]);
const fdActions = /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/;
const executingActions: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const interpreters =
  /^(?:python|perl|ruby|node|nodejs|deno|bun|php|lua|tclsh|osascript|pwsh|powershell|[gmn]?awk|g?sed|vim?|nvim|ed|ex|emacs|psql|sqlite3|make|gmake)[0-9.]*$/;
// Builtins that evaluate an argument as arithmetic or as the name of a variable; both may hold a substitution.
const evaluators: ReadonlySet<string> = new Set(
  "let test [ [[ printf read unset local readonly typeset integer float mapfile readarray getopts wait complete bind fc".split(
    " ",
  ),
);
const shellChangers: ReadonlySet<string> = new Set(
  (
    "cd pushd popd alias unalias export declare typeset local readonly set shopt unset source . eval exec hash enable " +
    "trap umask builtin command ulimit setopt autoload zmodload read mapfile readarray getopts let printf"
  ).split(" "),
);

function isWrapper(name: string): boolean {
  // The dynamic loader runs the program it is given.
  return shells.has(name) || wrappers.has(name) || /^ld(?:-[\w.-]*)?\.so(?:\.\d+)?$/.test(name);
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1).toLowerCase();
}
