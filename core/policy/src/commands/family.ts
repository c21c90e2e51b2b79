import { runsOtherCode } from "./wrappers.ts";

/**
 * The words by which a command can be remembered together with others of its kind: its first two, or the first alone where the
 * second is an option or a path. `undefined`: none, for what the first word does follows from what comes after it.
 */
export function commandFamily(words: readonly string[]): readonly string[] | undefined {
  const [program = "", second] = words;
  if (program === "" || program.includes("=") || program.includes("*") || runsOtherCode(words)) return undefined;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (destroying.has(name) || reachingOut.has(name)) return undefined;
  const isPlain = second !== undefined && /^[A-Za-z0-9_][A-Za-z0-9_@+:,./-]*$/.test(second);
  if (!isPlain) return withSubcommands.has(name) ? undefined : [program];
  return outward.get(name)?.includes(second) === true ? undefined : [program, second];
}

/** They take away what nobody brings back: each call is a question of its own. */
const destroying: ReadonlySet<string> = new Set("rm rmdir shred unlink truncate dd mkfs kill pkill killall".split(" "));

/** What they do happens elsewhere. */
const reachingOut: ReadonlySet<string> = new Set("curl wget scp sftp rsync ftp telnet nc netcat gh glab".split(" "));

/** Without a subcommand among the first two words, the family would be everything they can do. */
const withSubcommands: ReadonlySet<string> = new Set(
  (
    "git hg svn npm pnpm yarn bun cargo go pip pip3 uv poetry pipenv bundle gem dotnet composer terraform helm aws gcloud az " +
    "apt apt-get brew systemctl"
  ).split(" "),
);

/** Subcommands that act on what others use. */
const outward: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["git", ["push", "send-email", "clean", "config", "filter-branch", "submodule", "bisect", "hook"]],
  ...["npm", "pnpm", "yarn", "bun"].map((name) => [name, ["publish", "unpublish", "login", "config"]] as const),
  ["cargo", ["publish", "login", "install"]],
  ["gem", ["push"]],
  ["poetry", ["publish"]],
  ["uv", ["publish"]],
  ["terraform", ["apply", "destroy"]],
]);
