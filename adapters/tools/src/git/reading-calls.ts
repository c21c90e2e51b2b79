import type { BuildGitCall } from "./git-call.ts";
import { bad, count, flag, option, pathsOf, revision, textOf, when } from "./git-arguments.ts";

export const gitStatus: BuildGitCall = (args) => {
  const porcelain = flag(args, "porcelain", true);
  const branch = flag(args, "branch", true);
  return {
    type: "read",
    args: [
      "status",
      "--ignore-submodules=dirty",
      ...when(porcelain, "--porcelain=v1"),
      ...when(porcelain && branch, "--branch"),
      flag(args, "untracked", true) ? "--untracked-files=normal" : "--untracked-files=no",
    ],
    paths: [],
    empty: "clean",
  };
};

export const gitDiff: BuildGitCall = (args) => {
  const [from, to] = [revision(args, "from_ref"), revision(args, "to_ref")];
  if (to !== undefined && from === undefined) throw bad("to_ref needs from_ref.");
  const paths = pathsOf(args);
  return {
    type: "read",
    args: [
      "diff",
      ...inertDiff,
      ...when(flag(args, "cached"), "--cached"),
      ...when(flag(args, "stat"), "--stat"),
      ...when(flag(args, "name_only"), "--name-only"),
      ...option("unified", count(args, "unified")),
      ...(from === undefined ? [] : [from]),
      ...(to === undefined ? [] : [to]),
      "--",
      ...paths,
    ],
    paths,
    empty: "no diff",
    showsContent: true,
    named: "maybe-gone",
  };
};

export const gitLog: BuildGitCall = (args) => {
  const path = textOf(args, "path");
  return {
    type: "read",
    args: [
      "log",
      ...inertDiff,
      `--max-count=${count(args, "max_count") ?? usualLogEntries}`,
      ...when(flag(args, "oneline"), "--oneline"),
      ...option("format", textOf(args, "format")),
      ...option("author", textOf(args, "author")),
      ...option("since", textOf(args, "since")),
      ...option("until", textOf(args, "until")),
      ...option("grep", textOf(args, "grep")),
      "--end-of-options",
      "--",
      ...(path === undefined ? [] : [path]),
    ],
    paths: path === undefined ? [] : [path],
    empty: "no commits",
  };
};

export const gitShow: BuildGitCall = (args) => ({
  type: "read",
  args: [
    "show",
    ...inertDiff,
    ...when(flag(args, "stat"), "--stat"),
    ...when(flag(args, "name_only"), "--name-only"),
    ...option("format", textOf(args, "format")),
    revision(args, "commit") ?? "HEAD",
    "--",
  ],
  paths: [],
  empty: "ok",
  showsContent: true,
});

export const gitBlame: BuildGitCall = (args) => {
  const path = textOf(args, "path");
  if (path === undefined) throw bad("path must name a file.");
  const [start, end] = [count(args, "start_line"), count(args, "end_line")];
  if (start === undefined && end !== undefined) throw bad("end_line needs start_line.");
  const commit = revision(args, "commit");
  return {
    type: "read",
    args: [
      "blame",
      "--no-textconv",
      ...when(start !== undefined, `-L${start},${end ?? ""}`),
      ...(commit === undefined ? [] : [commit]),
      "--",
      path,
    ],
    paths: [path],
    empty: "ok",
    named: "there",
  };
};

/** No program of a driver, and nothing of another repository. */
const inertDiff = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

/** Commits of a log when nobody says how many. */
const usualLogEntries = 50;
