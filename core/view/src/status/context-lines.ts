import { inertLine, inertText } from "@capstan/patterns";
import type { ContextReport, ReportedSummary } from "@capstan/protocol";
import { gaugeText, tokensText } from "./context-gauge.ts";

const widthWithoutScreen = 100;

/** One fact a line, then what stands in place of older messages. */
export function contextLines(context: ContextReport, { width }: { readonly width?: number }): readonly string[] {
  const { usedTokens, windowTokens, budgetTokens, summaries } = context;
  const gauge = gaugeText({
    usedTokens,
    windowTokens,
    share: windowTokens <= 0 ? null : Math.min(1, usedTokens / windowTokens),
  });
  const shown = summaries.find(({ isShown }) => isShown);
  const hidden = shown === undefined ? "all of them are shown" : `the first ${shown.messageCount} as a summary`;
  return [
    `Model     ${inertLine(context.model, 200)}`,
    `Context   ${gauge}${context.isCounted ? "" : ", a guess: the model has not counted it yet"}`,
    `Budget    ${tokensText(budgetTokens)} for a request, ${tokensText(context.answerTokens)} kept for the answer`,
    `Messages  ${context.messages}: ${hidden}`,
    ...(context.resultCharacters === null
      ? []
      : [`Results   long ones are shown with ${context.resultCharacters} characters`]),
    ...summaries.flatMap((summary) => summaryLines(summary, width ?? widthWithoutScreen)),
  ];
}

/** `c3` of `SESSION.c3`: enough where the session is known. */
export function compactionName(compaction: string): string {
  return compaction.slice(compaction.lastIndexOf(".") + 1);
}

function summaryLines(
  { compaction, messageCount, isShown, text, kept }: ReportedSummary,
  width: number,
): readonly string[] {
  const name = compaction === null ? "a clean context" : compactionName(compaction);
  const head = `${name}: the first ${messageCount} messages${isShown ? ", shown now" : ", not shown"}`;
  const words = kept.map(
    ({ kind, text: said }) => `  ${kind}: ${inertLine(said, Math.max(20, width - kind.length - 4))}`,
  );
  return [
    "",
    head,
    ...inertText(text)
      .split("\n")
      .map((line) => `  ${line}`),
    ...words,
  ];
}
