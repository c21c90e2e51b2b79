import type { AnswerChoice, ApprovalCard, CardChange, ProgressLine } from "@capstan/view";

/** Lines of one question, answers included: what does not fit is counted, and shown with the details. A command stands whole. */
const questionLines = 6;
const answerLines = 2;
/** Lines of the change that is looked at in a list of calls. */
const listedDiffLines = 3;

/** A question about one call, whose last line stays open for a key. */
export function approvalLines(card: ApprovalCard): readonly ProgressLine[] {
  return [...askedLines(card), ...choiceLines(card.choices, " > ")];
}

/** The same where lines are typed, and every line is closed. */
export function typedApprovalLines(card: ApprovalCard): readonly ProgressLine[] {
  return [...askedLines(card), ...choiceLines(card.choices, "")];
}

function askedLines(card: ApprovalCard): readonly ProgressLine[] {
  const said = [...warningLines(card), ...whyLines(card)];
  const room = Math.max(1, questionLines - answerLines - 1 - said.length);
  return [{ tone: "warning", text: titleOf(card) }, ...said, ...changeLines(card.changes, room)];
}

/** Calls of one step that are asked about together. */
export interface ApprovalList {
  readonly cards: readonly ApprovalCard[];
  readonly selected: ReadonlySet<number>;
  /** Whose change is shown. */
  readonly focus: number;
  readonly choices: readonly AnswerChoice[];
}

export function approvalListLines({ cards, selected, focus, choices }: ApprovalList): readonly ProgressLine[] {
  const entries = cards.flatMap((card, at): readonly ProgressLine[] => [
    {
      tone: at === focus ? "warning" : "plain",
      text: `${at === focus ? "›" : " "} [${selected.has(at) ? "x" : " "}] ${titleOf(card)}`,
    },
    ...indented(warningLines(card)),
    ...(at === focus ? indented([...whyLines(card), ...changeLines(card.changes, listedDiffLines)]) : []),
  ]);
  return [
    {
      tone: "warning",
      text: `${cards.length} calls wait. Up and down move, space selects; the answer is for those selected.`,
    },
    ...entries,
    ...choiceLines(choices, " > "),
  ];
}

function indented(lines: readonly ProgressLine[]): readonly ProgressLine[] {
  return lines.map(({ tone, text }) => ({ tone, text: `    ${text}` }));
}

function titleOf({ title, changes }: ApprovalCard): string {
  const [only, ...more] = changes;
  return only === undefined || more.length > 0 ? title : `${title} ${countsOf(only)}`;
}

function warningLines({ warnings }: ApprovalCard): readonly ProgressLine[] {
  return warnings.map((text) => ({ tone: "bad", text: `  ! ${text}` }));
}

function whyLines({ isRisky, reason }: ApprovalCard): readonly ProgressLine[] {
  const parts = [...(isRisky ? ["High risk."] : []), ...(reason === null ? [] : [reason])];
  return parts.length === 0 ? [] : [{ tone: isRisky ? "bad" : "plain", text: `  ${parts.join(" ")}` }];
}

/** Of one file what differs; of several what happens to each. */
function changeLines(changes: readonly CardChange[], room: number): readonly ProgressLine[] {
  const [only, ...others] = changes;
  const all: readonly ProgressLine[] =
    only === undefined
      ? []
      : others.length > 0
        ? changes.map((change) => ({ tone: "plain", text: `    ${change.kind} ${change.path} ${countsOf(change)}` }))
        : only.lines.flatMap(({ type, text }) =>
            type === "same" ? [] : [{ tone: "diff", text: `    ${type === "added" ? "+" : "-"}${text}` } as const],
          );
  if (all.length <= room) return all;
  const shown = all.slice(0, room - 1);
  return [...shown, { tone: "muted", text: `    … ${all.length - shown.length} more lines; v shows them` }];
}

function countsOf({ addedLines, removedLines }: CardChange): string {
  return `(+${addedLines} −${removedLines})`;
}

/** The yeses on one line, what else there is on the next, with what follows it. */
function choiceLines(choices: readonly AnswerChoice[], end: string): readonly ProgressLine[] {
  const [yes, others] = [
    choices.filter(({ means }) => means.type === "approve"),
    choices.filter(({ means }) => means.type !== "approve"),
  ];
  return [
    { tone: "plain", text: yes.map(say).join(" · ") },
    { tone: "plain", text: `${[...others.map(say), "v details"].join(" · ")}${end}` },
  ];
}

function say({ number, label }: AnswerChoice): string {
  return `${number} ${label}`;
}
