export type { LanguageServers } from "./language-servers.ts";
export {
  loadLanguageServers,
  namedLanguageServers,
  openLanguageServers,
  type OpenedLanguageServers,
  whyNone,
} from "./open-language-servers.ts";
export { errorsOf } from "./problems/new-errors.ts";
export type { FileProblems, Problem, Severity } from "./problems/problem.ts";
export { problemLine } from "./problems/problem-lines.ts";
