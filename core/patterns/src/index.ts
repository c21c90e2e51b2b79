export { isLoopbackAddress, isPrivateAddress, isPublicAddress } from "./address-class.ts";
export { DenyPatterns, type DenyProblem, pathPatternProblem } from "./deny-patterns.ts";
export { foldLetters, foldPath } from "./fold-path.ts";
export { compileGlob, type Glob, type GlobOptions } from "./glob/glob.ts";
export type { GlobProblem } from "./glob/glob-parts.ts";
export {
  bytesText,
  type IgnoreRule,
  type IgnoreRules,
  judgeIgnored,
  type NamedEntry,
  parseIgnoreRules,
} from "./gitignore/ignore-rules.ts";
export { hiddenCharacters, showCodePoint } from "./hidden-characters.ts";
export { inertPiece, inertStream, unfinishedEscapeFrom } from "./inert-stream.ts";
export { escapeSequences, inertLine, inertText } from "./inert-text.ts";
export { isWithin, namesOfPath } from "./is-within.ts";
export { maxIgnoreFileBytes } from "./limits.ts";
export { PatternText } from "./pattern-text.ts";
