export { listProblems, type ProblemList } from "./list-problems.ts";
export { namedLanguageServers, openLanguageServers } from "./open-language-servers.ts";
export type { FileProblems, Problem } from "./problems/problem.ts";
export { problemLine } from "./problems/problem-lines.ts";
