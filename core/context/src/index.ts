export { contextShares } from "./context-shares.ts";
export { chooseCut, chooseRuleCut, type CutBounds } from "./choose-cut.ts";
export { messagesTokens, messageTokens, preambleTokens, ratioOf, textTokens } from "./estimate-tokens.ts";
export { keptWords, type Said } from "./kept-words.ts";
export {
  aheadCostShare,
  aheadShare,
  distillLimitMs,
  messagesKeptByCompaction,
  overflowShare,
  readableShare,
  requestOverheadTokens,
  restoredShare,
  shorterResults,
  summaryLimitMs,
  targetShare,
} from "./limits.ts";
export { selectedNotice, shortenedNotice, trimmedNotice } from "./notices.ts";
export { mostCostUsd, mostInputTokens, mostPromptTokens, type Reservation, reservation } from "./reserve-cost.ts";
export { isRuleCompactor, summaryByRules } from "./rule-compactors.ts";
export { longestResult, resultsToKeep, type Shortened, shortText, withShortResults } from "./shorten-results.ts";
export { keptBeside } from "./kept-beside.ts";
export { summaryIn, summaryPolicy } from "./summary-in.ts";
export { tokenBudget } from "./token-budget.ts";
