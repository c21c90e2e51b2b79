export { askGit, type GitPlace } from "./ask-git.ts";
export { type HomeFile, userGitFiles } from "./user-git-files.ts";
