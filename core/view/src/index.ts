export { type AnswerCommand, answerCommands } from "./answer-commands.ts";
export { duration, interactionLines, interactionSummary } from "./approval-lines.ts";
export { decisionLine, decisionText, type DecisionTextOptions } from "./decision-text.ts";
export { inertStream } from "./inert-stream.ts";
export { isolationLine } from "./isolation-line.ts";
export { inertLine, inertText } from "./inert-text.ts";
export { createProgress, type ProgressLine, type ProgressTone } from "./progress.ts";
export {
  type DeniedCall,
  gatherResult,
  type PendingQuestion,
  pendingQuestions,
  type RunningResult,
  type RunResult,
} from "./run-result.ts";
export { warningsFor } from "./warnings-for.ts";
export { turnNumbers } from "./turn-numbers.ts";
export { taskLines } from "./task-lines.ts";
