import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { askGit } from "./ask-git.ts";
import { maxIgnoreBytes } from "./limits.ts";

/** A file for a home that is not the user's own. */
export interface HomeFile {
  /** From the home. */
  readonly path: string;
  readonly content: string;
}

export interface UserOfGit {
  /** Absolute. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** As for `askGit`. */
  readonly searchPath: string;
}

/**
 * The user's own settings of git, as files for an empty home in which their commands run: who they are, what they ignore, and how git is
 * to work; nothing that names a program, an address or a secret. A repository's own settings are stronger, as everywhere.
 */
export async function userGitFiles({ home, env, searchPath }: UserOfGit): Promise<readonly HomeFile[]> {
  const places = ["XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"].flatMap((name) => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  const listed = await askGit(["config", "--global", "--includes", "--null", "--list"], {
    cwd: home,
    searchPath,
    environment: { HOME: home, ...Object.fromEntries(places) },
  });
  const settings = listed === undefined ? [] : readSettings(listed);
  const named = settings.findLast(({ name }) => name === "core.excludesfile")?.value;
  const usual = join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "git", "ignore");
  const ignored = await readBeginning(named?.replace(/^~(?=\/)/, home) ?? usual);
  const taken = settings.filter(({ name }) => safeNames.has(name));
  const ignoring = ignored === undefined ? [] : [{ name: "core.excludesfile", value: `~/${ignorePath}` }];
  return [
    ...(taken.length + ignoring.length === 0
      ? []
      : [{ path: ".gitconfig", content: written([...taken, ...ignoring]) }]),
    ...(ignored === undefined ? [] : [{ path: ignorePath, content: ignored }]),
  ];
}

const ignorePath = ".config/git/ignore";

/** Settings that say who the user is and how git works, and name no program and no other place. */
const safeNames: ReadonlySet<string> = new Set([
  "user.name",
  "user.email",
  "user.useconfigonly",
  "author.name",
  "author.email",
  "committer.name",
  "committer.email",
  "init.defaultbranch",
  "core.autocrlf",
  "core.eol",
  "core.safecrlf",
  "core.quotepath",
  "core.precomposeunicode",
  "core.ignorecase",
  "core.whitespace",
  "commit.cleanup",
  "i18n.commitencoding",
  "i18n.logoutputencoding",
  "push.default",
  "push.autosetupremote",
  "push.followtags",
  "pull.rebase",
  "pull.ff",
  "merge.ff",
  "merge.conflictstyle",
  "merge.renames",
  "rebase.autosquash",
  "rebase.autostash",
  "rebase.updaterefs",
  "rerere.enabled",
  "fetch.prune",
  "branch.autosetupmerge",
  "branch.autosetuprebase",
  "branch.sort",
  "tag.sort",
  "diff.algorithm",
  "diff.renames",
  "diff.mnemonicprefix",
  "diff.noprefix",
  "log.date",
  "status.showuntrackedfiles",
  "safe.directory",
]);

interface GitSetting {
  /** In small letters, as git lists it. */
  readonly name: string;
  /** `undefined`: the name stands alone, which means yes. */
  readonly value: string | undefined;
}

function readSettings(listed: string): readonly GitSetting[] {
  return listed
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const end = entry.indexOf("\n");
      return end === -1
        ? { name: entry, value: undefined }
        : { name: entry.slice(0, end), value: entry.slice(end + 1) };
    });
}

/** As git reads it back, whatever the values hold. */
function written(settings: readonly GitSetting[]): string {
  return settings
    .map(({ name, value }) => {
      const [section = "", key = ""] = name.split(".");
      return `[${section}]\n\t${key}${value === undefined ? "" : ` = "${escaped(value)}"`}\n`;
    })
    .join("");
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** Whole lines of it, as far as they are taken; `undefined` where it cannot be read, or is empty. */
async function readBeginning(path: string): Promise<string | undefined> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, "r");
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxIgnoreBytes), 0, maxIgnoreBytes, 0);
    const text = buffer.toString("utf8", 0, bytesRead);
    const whole = bytesRead < maxIgnoreBytes ? text : text.slice(0, text.lastIndexOf("\n") + 1);
    return whole === "" ? undefined : whole;
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
