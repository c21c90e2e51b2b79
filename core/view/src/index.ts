export { answerChoices, type AnswerChoice, approvalOf, type ChoiceMeaning } from "./asking/answer-choices.ts";
export { type ApprovalCard, approvalCard, cardChange, type CardChange, type CardLine } from "./asking/approval-card.ts";
export { type EditedText, editedText } from "./asking/edited-text.ts";
export { type CompactionEntry, compactionsOf } from "./compactions.ts";
export { decisionLine, decisionText, type DecisionTextOptions } from "./decision-text.ts";
export type { DiffFile, DiffHunk, DiffLine, DiffTree, WordMark } from "./diff/diff-tree.ts";
export { parseDiff } from "./diff/parse-diff.ts";
export type { Block, Column, LinkTarget, ListItem, Span } from "./markdown/block.ts";
export { appendMarkdown, blocksOf, emptyMarkdown, type MarkdownText, parseMarkdown } from "./markdown/markdown.ts";
export { hookNotices } from "./transcript/hook-notices.ts";
export { endOfTurn } from "./end-of-turn.ts";
export { inertLine, inertStream, inertText } from "@capstan/patterns";
export { duration, interactionLines, questionNotes } from "./asking/interaction-lines.ts";
export { leftOpenLines } from "./asking/left-open-lines.ts";
export { jsonLine } from "./json-line.ts";
export { interactionSummary } from "./interaction-summary.ts";
export { type ContextGauge, contextGauge, gaugeText, tokensText } from "./status/context-gauge.ts";
export { compactionName, contextLines } from "./status/context-lines.ts";
export { activityText, settingsText } from "./status/status-text.ts";
export {
  type Activity,
  type SandboxBadge,
  runningCalls,
  sandboxBadge,
  type Status,
  statusOf,
} from "./status/status.ts";
export type {
  AnswerCell,
  AnswerPart,
  AnswerState,
  CallCell,
  CallEnd,
  CallState,
  Cell,
  CompactionCell,
  GrantCell,
  InteractionCell,
  NoticeCell,
  RecoveryCell,
  Resolution,
  RetryCell,
  RewindCell,
  RewindResult,
  TurnEndCell,
  UserCell,
  Words,
} from "./transcript/cell.ts";
export { itemAt, itemsOf, type PersistentList } from "./transcript/persistent-list.ts";
export { runningTimeText, timeText } from "./time-text.ts";
export { reduce } from "./transcript/reduce.ts";
export { writtenSummary } from "./transcript/written-summary.ts";
export { type CommandDetails, commandDetails } from "./transcript/shown.ts";
export { addSpending, nothingSpent, type Spending } from "./transcript/spending.ts";
export {
  cellsFrom,
  emptyTranscript,
  type QueuedWords,
  type Transcript,
  type TurnMark,
  withoutOldCells,
} from "./transcript/transcript.ts";
export { codeRow, markdownRows } from "./layout/markdown-rows.ts";
export type { ProgressLine, ProgressTone } from "./layout/progress-line.ts";
export {
  cutRow,
  cutText,
  type Role,
  type Row,
  rowOf,
  type RowSpan,
  rowText,
  rowWidth,
  shortText,
} from "./layout/row.ts";
export { textCells, textWidth } from "./layout/text-width.ts";
export { wrapRow } from "./layout/wrap-row.ts";
export { wrapText } from "./layout/wrap-text.ts";
export { citedSources, type VendorLine, vendorWork } from "./vendor-work.ts";
export { warningsFor } from "./warnings-for.ts";
