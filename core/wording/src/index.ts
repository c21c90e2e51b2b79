export { callResult, commandReport } from "./call-results.ts";
export { maxSummaryTokens } from "./limits.ts";
export { bridge, mergedMessages, type Shown, type Summary } from "./merged-messages.ts";
export { isOfferedNow, isUnfound, offeredTools, withFound } from "./offered-tools.ts";
export {
  answeredQuestions,
  argumentsTooLarge,
  changedSince,
  deniedByUser,
  malformedArguments,
  noPlanMode,
  outcomes,
  planAdjusted,
  planApproved,
  planCancelled,
  repeatedCall,
  tasksTaken,
  tooManyCalls,
  tooMuchWritten,
  unattendedOutcome,
  undoneOutcome,
  unknownOutcome,
} from "./outcomes.ts";
export { cleanSummary, modeParts, planToCarryOut, systemText } from "./plan-mode.ts";
export { claudeName, fromClaudeFields, inClaudeFields } from "./profiles/claude-words.ts";
export { inOurWords, inProfile } from "./profiles/in-profile.ts";
export { summaryRequest } from "./summary-request.ts";
export { foundAfter, searchOutcome, unfoundReason } from "./tools-found.ts";
export { patienceMs, unansweredInTime } from "./unanswered.ts";
export { uniqueCallIds } from "./unique-call-ids.ts";
export { addWritten, beyondWriteLimit, nothingWritten, type Written } from "./written.ts";
