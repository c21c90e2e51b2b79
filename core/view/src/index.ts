export { decisionLine, decisionText, type DecisionTextOptions } from "./decision-text.ts";
export { inertStream } from "./inert-stream.ts";
export { isolationLine } from "./isolation-line.ts";
export { inertLine, inertText } from "./inert-text.ts";
export { createProgress, type ProgressLine, type ProgressTone } from "./progress.ts";
export { type DeniedCall, gatherResult, type RunningResult, type RunResult } from "./run-result.ts";
export { warningsFor } from "./warnings-for.ts";
export { turnNumbers } from "./turn-numbers.ts";
export { taskLines } from "./task-lines.ts";
