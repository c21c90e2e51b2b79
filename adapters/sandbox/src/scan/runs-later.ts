import { basename, dirname, relative } from "node:path";
import { isJsonObject, type JsonValue } from "@capstan/protocol";
import { readLink } from "@capstan/byte-paths";
import { maxReportedPaths, maxScannedManifestBytes } from "../limits.ts";
import { readSmallFile } from "../protect/git-configuration.ts";
import { isPlainModules } from "../quarantine/new-names.ts";
import { entryOf } from "../protect/shut-folder.ts";
import type { Survey } from "../protect/survey.ts";

/** What in a tree other programs will run or obey: each with what would show a change. */
export type LaterRuns = ReadonlyMap<string, string>;

/** Whether people's tools run such a file, or what it names, by themselves or by a word that says nothing of it. */
export function isRunLater(name: string, path: string): boolean {
  return scriptNames.has(name.toLowerCase()) || /^(workflows|\.husky|\.githooks)$/.test(basename(dirname(path)));
}

/** Looks at everything once; two of these are compared. */
export function listLaterRuns(surveys: Iterable<Survey>): LaterRuns {
  const found = new Map<string, string>();
  for (const { governing, scripts } of surveys) {
    // In place it cannot be changed; but the folder around it can be moved away, and another put there.
    for (const path of governing) if (!isPlainModules(path)) found.set(path, governingPrint(path));
    for (const path of scripts) {
      const print = fingerprint(path);
      if (print !== "") found.set(path, print);
    }
  }
  return found;
}

/**
 * What is new or changed, in words, paths relative to the working directory.
 * @param act  does something about it, and says in words what
 */
export function compareLaterRuns(
  before: LaterRuns,
  after: LaterRuns,
  workingDirectory: string,
  act?: (path: string) => string | undefined,
): readonly string[] {
  const news = [...after].filter(([path, print]) => before.get(path) !== print);
  const lines = news.map(([path]) => {
    const shown = JSON.stringify(relative(workingDirectory, path)).slice(1, -1);
    const done = act?.(path);
    return `${shown} ${before.has(path) ? "was changed" : "is new"}${done === undefined ? "" : `, ${done}`}`;
  });
  const reported = lines.slice(0, maxReportedPaths);
  return news.length > reported.length ? [...reported, `and ${news.length - reported.length} more`] : reported;
}

const scriptNames: ReadonlySet<string> = new Set(
  "package.json makefile gnumakefile justfile .justfile taskfile.yml taskfile.yaml rakefile noxfile.py tox.ini conftest.py sitecustomize.py usercustomize.py"
    .split(" ")
    .concat(
      ".gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml .drone.yml bitbucket-pipelines.yml appveyor.yml".split(
        " ",
      ),
    )
    .concat(
      ".pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .huskyrc .huskyrc.json .envrc mise.toml .mise.toml".split(
        " ",
      ),
    )
    .concat(
      ".bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .kshrc .cshrc .inputrc".split(
        " ",
      ),
    )
    .concat(
      ".npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs bunfig.toml .gdbinit .lldbinit .exrc .vimrc .nvimrc .nvim.lua devcontainer.json".split(
        " ",
      ),
    ),
);

/** Of a package only what its scripts say counts: versions change all the time. */
function fingerprint(path: string): string {
  if (basename(path).toLowerCase() === "package.json") {
    const text = readSmallFile(path, maxScannedManifestBytes);
    return text === undefined ? "unreadable" : scriptsOf(text);
  }
  const entry = entryOf(path);
  // The time of the last change of its entry cannot be set.
  return entry === undefined ? "" : `${entry.ino}:${entry.size}:${entry.ctimeMs}`;
}

function scriptsOf(text: string): string {
  try {
    const manifest: JsonValue = JSON.parse(text);
    return isJsonObject(manifest) && manifest["scripts"] !== undefined ? JSON.stringify(manifest["scripts"]) : "";
  } catch {
    return "";
  }
}

/** Of a folder only which one it is: what it holds is not written to. Of a link where it leads: one that was put back is another, and the same. */
function governingPrint(path: string): string {
  const entry = entryOf(path);
  if (entry?.isSymbolicLink() === true) return `link ${readLink(path)}`;
  return entry?.isDirectory() === true ? `folder ${entry.ino}` : fingerprint(path);
}
