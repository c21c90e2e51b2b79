import type { BuildGitCall } from "./git-call.ts";
import { bad, count, flag, pathsOf, revision, textOf, when } from "./git-arguments.ts";

export const gitRestore: BuildGitCall = (args) => {
  const paths = pathsOf(args);
  if (paths.length === 0) throw bad("paths must name what is to be restored.");
  const [staged, worktree] = [flag(args, "staged"), flag(args, "worktree", true)];
  if (!staged && !worktree) throw bad("staged or worktree must be true.");
  return {
    type: "change",
    args: ["restore", ...when(staged, "--staged"), ...when(worktree, "--worktree"), "--", ...paths],
    paths,
    empty: "ok",
  };
};

export const gitAdd: BuildGitCall = (args) => {
  const paths = pathsOf(args);
  const [all, update] = [flag(args, "all"), flag(args, "update")];
  if ([all, update, paths.length > 0].filter(Boolean).length !== 1) throw bad("Give paths, or all, or update.");
  return {
    type: "change",
    args: ["add", ...when(all, "--all"), ...when(update, "--update"), ...when(paths.length > 0, "--", ...paths)],
    paths,
    empty: "ok",
  };
};

export const gitCommit: BuildGitCall = (args) => {
  const [type, scope, message] = [textOf(args, "type"), textOf(args, "scope"), textOf(args, "message")];
  if (type === undefined || message === undefined) throw bad("type and message must be given.");
  if (!/^[A-Za-z][\w-]{0,30}!?$/.test(type)) throw bad("type must be one word, such as feat or fix.");
  if (scope !== undefined && !/^[^()\s\p{C}]{1,60}$/u.test(scope)) throw bad("scope must be one word.");
  const subject = `${type}${scope === undefined ? "" : `(${scope})`}: ${message}`;
  return { type: "change", args: ["commit", "--no-verify", `--message=${subject}`], paths: [], empty: "ok" };
};

export const gitBranch: BuildGitCall = (args) => {
  const named = ["create", "delete", "force_delete", "rename"].filter((name) => textOf(args, name) !== undefined);
  if (named.length > 1) throw bad(`Only one of ${named.join(" and ")} can be done at once.`);
  const [action] = named;
  if (action === undefined) {
    const kind = flag(args, "list_all") ? ["--all"] : when(flag(args, "list_remote"), "--remotes");
    return { type: "read", args: ["branch", "--list", ...kind], paths: [], empty: "ok" };
  }
  const name = revision(args, action) ?? "";
  return {
    type: "change",
    args: ["branch", ...branchWords(action, name, revision(args, "new_name"))],
    paths: [],
    empty: "ok",
  };
};

function branchWords(action: string, name: string, newName: string | undefined): readonly string[] {
  switch (action) {
    case "delete":
      return ["--delete", "--", name];
    case "force_delete":
      return ["--delete", "--force", "--", name];
    case "rename":
      if (newName === undefined) throw bad("rename needs new_name.");
      return ["--move", "--", name, newName];
    default:
      return ["--no-track", "--", name];
  }
}

export const gitCheckout: BuildGitCall = (args) => {
  const [branch, create, commit] = [
    revision(args, "branch"),
    revision(args, "create_branch"),
    revision(args, "commit"),
  ];
  const paths = pathsOf(args);
  if (paths.length > 0) {
    if (branch !== undefined || create !== undefined) throw bad("paths go with commit alone.");
    const from = commit === undefined ? [] : [commit];
    return {
      type: "change",
      args: ["checkout", "--no-recurse-submodules", ...from, "--", ...paths],
      paths,
      empty: "ok",
    };
  }
  if ([branch, create, commit].filter((name) => name !== undefined).length !== 1)
    throw bad("Give one of branch, create_branch and commit, or paths.");
  const words =
    create === undefined
      ? [...when(commit !== undefined, "--detach"), branch ?? commit ?? ""]
      : ["--no-track", "-b", create];
  return { type: "change", args: ["checkout", "--no-recurse-submodules", ...words, "--"], paths: [], empty: "ok" };
};

export const gitStash: BuildGitCall = (args) => {
  const action = textOf(args, "action") ?? "push";
  const index = count(args, "index");
  const entry = index === undefined ? [] : [`stash@{${index}}`];
  const message = textOf(args, "message");
  switch (action) {
    case "list":
      return { type: "read", args: ["stash", "list"], paths: [], empty: "no stashes" };
    case "show":
      return {
        type: "read",
        args: ["stash", "show", "--stat", "--no-ext-diff", "--no-textconv", ...entry],
        paths: [],
        empty: "no stashes",
      };
    case "push": {
      const words = [
        ...when(flag(args, "include_untracked"), "--include-untracked"),
        ...(message === undefined ? [] : [`--message=${message}`]),
      ];
      return { type: "change", args: ["stash", "push", ...words], paths: [], empty: "ok" };
    }
    case "pop":
    case "apply":
    case "drop":
      return { type: "change", args: ["stash", action, ...entry], paths: [], empty: "ok" };
    case "clear":
      return { type: "change", args: ["stash", "clear"], paths: [], empty: "ok" };
    default:
      throw bad("action must be push, pop, apply, drop, list, show or clear.");
  }
};
