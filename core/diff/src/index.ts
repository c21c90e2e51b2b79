export { type ComparedTexts, compareTexts, type DiffHunk } from "./compare-texts.ts";
export { countLines } from "./count-lines.ts";
export { maxDiffSteps } from "./limits.ts";
export { diffTexts, type TextDiff, type TextNames } from "./diff-texts.ts";
