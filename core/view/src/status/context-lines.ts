import { inertLine, inertText } from "@capstan/patterns";
import type { ContextReport, ContextShareName, ReportedSummary } from "@capstan/protocol";
import { gaugeText, tokensText } from "./context-gauge.ts";

const widthWithoutScreen = 100;

/** One fact a line, then what stands in place of older messages. */
export function contextLines(context: ContextReport, { width }: { readonly width?: number }): readonly string[] {
  const { usedTokens, windowTokens, budgetTokens, summaries } = context;
  const gauge = gaugeText({
    usedTokens,
    windowTokens,
    share: windowTokens <= 0 ? null : Math.min(1, usedTokens / windowTokens),
    summaries: summaries.length,
  });
  const shown = summaries.find(({ isShown }) => isShown);
  const hidden = shown === undefined ? "all of them are shown" : `the first ${shown.messageCount} as a summary`;
  return [
    `Model     ${inertLine(context.model, 200)}`,
    `Context   ${gauge}${context.isCounted ? "" : ", a guess: the model has not counted it yet"}`,
    `Budget    ${tokensText(budgetTokens)} for a request, ${tokensText(context.answerTokens)} kept for the answer`,
    `Messages  ${context.messages}: ${hidden}`,
    ...shareLines(context),
    ...(context.resultCharacters === null
      ? []
      : [`Results   long ones are shown with ${context.resultCharacters} characters`]),
    ...summaries.flatMap((summary) => summaryLines(summary, width ?? widthWithoutScreen)),
  ];
}

const shareNames: Readonly<Record<ContextShareName, readonly [string, string]>> = {
  system: ["Capstan's instructions", ""],
  tools: ["tools", "tool"],
  summary: ["summary of older messages", ""],
  words: ["your words and the workspace's facts", "text"],
  answers: ["the model's answers", "part"],
  calls: ["tool calls", "call"],
  results: ["tool results", "result"],
  media: ["pictures and files", "file"],
};

/** The largest part first, since that is what there is to be done about. */
function shareLines({ parts }: ContextReport): readonly string[] {
  const whole = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  return parts
    .toSorted((a, b) => b.tokens - a.tokens)
    .map(({ name, count, tokens }) => {
      const [about, counted] = shareNames[name];
      const number = counted === "" ? "" : `, ${count} ${counted}${count === 1 ? "" : "s"}`;
      const share = whole === 0 ? 0 : Math.round((100 * tokens) / whole);
      return `  ${tokensText(tokens).padStart(6)}  ${`${share} %`.padStart(5)}  ${about}${number}`;
    });
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
