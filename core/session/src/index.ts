export { closeBatch } from "./evolve/close-batch.ts";
export { evolve } from "./evolve/evolve.ts";
export { fold, Folding } from "./evolve/fold.ts";
export { outlined } from "./evolve/outlined.ts";
export { configNow } from "./model/config-now.ts";
export type { ApprovedPlan, TurnMark } from "./model/marks.ts";
export { isConcerned, openTurnOf } from "./model/open-turn-of.ts";
export { openProposals } from "./model/open-proposals.ts";
export { pendingInteractions } from "./model/pending-interactions.ts";
export { stateFormat } from "./model/state-format.ts";
export {
  type Batch,
  initialState,
  isUndecided,
  type OpenCompaction,
  type OpenStep,
  type OpenSummary,
  type OpenTurn,
  type Operation,
  type PendingCall,
  type QueuedTurn,
  type SessionState,
} from "./model/state.ts";
export { contextReport } from "./projection/context-report.ts";
export { conversation, conversationPage } from "./projection/conversation.ts";
export { modelRequest } from "./projection/model-request.ts";
export { proposedInTurn } from "./projection/proposed-in-turn.ts";
export { planSources } from "./projection/plan-sources.ts";
export { previewRewind, rewindEffects } from "./projection/preview-rewind.ts";
export { assumedNotice } from "./projection/assumed-notice.ts";
export { calibrationOf, guessedTokens, preambleSize, requestTokens } from "./projection/request-size.ts";
export { snapshot } from "./projection/snapshot.ts";
