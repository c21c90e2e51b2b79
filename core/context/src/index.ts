export { contextShares } from "./context-shares.ts";
export { chooseCut, chooseRuleCut, type CutBounds } from "./choose-cut.ts";
export { blockTokens, messageTokens, preambleTokens, textTokens } from "./estimate-tokens.ts";
export { keptWords, type KeptSource, type Said } from "./kept-words.ts";
export {
  maxCalibration,
  messagesKeptByCompaction,
  minCalibration,
  overflowShare,
  readableShare,
  restoredShare,
  shorterResults,
  targetShare,
} from "./limits.ts";
export { mostTokens } from "./most-tokens.ts";
export { ruleSummary } from "./rule-summary.ts";
export { longestResult, type Shortened, shortText, withShortResults } from "./shorten-results.ts";
export { tokenBudget } from "./token-budget.ts";
