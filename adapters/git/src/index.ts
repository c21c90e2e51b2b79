export { askGit, type GitPlace, inertGit } from "./ask-git.ts";
export { type HomeFile, userGitFiles } from "./user-git-files.ts";
export { openGit } from "./inspect/inert-git.ts";
