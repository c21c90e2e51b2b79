import {
  type Cell,
  cutRow,
  decisionLine,
  type InteractionCell,
  type RewindCell,
  type Row,
  rowOf,
  tokensText,
  type TurnEndCell,
  type UserCell,
  endOfTurn,
  timeText,
} from "@capstan/view";
import { answerRows } from "./answer-rows.ts";
import { callRows } from "./call-rows.ts";
import { type CellView, counted, headedRows } from "./cell-view.ts";

const lineCharacters = 2000;

/** A cell as a screen shows it; what begins something new has an empty row before it. */
export function cellRows(cell: Cell, view: CellView): readonly Row[] {
  const { columns } = view;
  switch (cell.type) {
    case "user":
      return [[], ...userRows(cell, view)];
    case "answer":
      return answerRows(cell, view);
    case "call":
      return callRows(cell, view);
    case "interaction":
      return interactionRows(cell, view);
    case "retry":
      return headedRows("↻ ", `${cell.message} — attempt ${cell.attempt}`, columns, "warning");
    case "compaction":
      return compactionRows(cell.state, columns);
    case "rewind":
      return rewindRows(cell, columns);
    case "grant":
      return headedRows(
        "· ",
        cell.change.type === "added"
          ? `Remembered (${cell.change.scope}): ${cell.change.rule}`
          : "A remembered approval holds no more.",
        columns,
        "muted",
      );
    case "recovery":
      return headedRows("! ", `Continuing: ${cell.found}.`, columns, "warning");
    case "notice":
      return headedRows("· ", cell.text, columns, noticeRoles[cell.level]);
    case "turn-end":
      return turnEndRows(cell, columns);
  }
}

const noticeRoles = { info: "muted", warning: "warning", error: "bad" } as const;

/** Words of more rows are cut to so many, unless all of them are shown: who pasted a file knows what is in it. */
const mostWordRows = 40;
const wordRowsShown = 20;

function userRows({ words, isPlan, origin }: UserCell, { columns, user, isWhole }: CellView): readonly Row[] {
  const text = words
    .map((part) => (part.type === "text" ? part.text : `[${part.name ?? part.mediaType} · ${bytesText(part.bytes)}]`))
    .join("\n");
  const isMine = origin.user === undefined || origin.user === user;
  const head = isPlan ? "› carries out: " : isMine ? "› " : `› ${origin.user ?? ""}: `;
  const rows = headedRows(head, text.trimEnd(), columns, "user");
  if (isWhole || rows.length <= mostWordRows) return rows;
  return [
    ...rows.slice(0, wordRowsShown),
    rowOf(`  … ${counted(rows.length - wordRowsShown, "more row")}: Ctrl-O`, "muted"),
  ];
}

/** What waits has a card; here stands what became of it. */
function interactionRows({ interaction, resolution }: InteractionCell, { columns, user }: CellView): readonly Row[] {
  if (resolution === null) return [];
  const { answer, by } = resolution;
  if (answer.type === "void") return [];
  const what = decisionLine(askedText(interaction.request), { limitCharacters: lineCharacters });
  if (answer.type === "expired") return headedRows("✗ ", `nobody answered in time: ${what}`, columns, "warning");
  const isMine = by.user === user && by.frontend === "tui";
  const who = isMine ? "" : by.user === undefined ? ` (${by.frontend})` : ` (${by.user}, ${by.frontend})`;
  return [cutRow(rowOf(`· ${answerWords(answer)}: ${what}${who}`, "muted"), columns)];
}

/** What the user was asked about. */
function askedText(request: InteractionCell["interaction"]["request"]): string {
  switch (request.type) {
    case "approval":
      return request.action.summary;
    case "question": {
      const [first, ...others] = request.questions;
      return `${first?.question ?? ""}${others.length === 0 ? "" : `, and ${others.length} more`}`;
    }
    case "plan-review":
      return "the plan";
    case "budget":
      return "a limit of the turn";
    case "recovery":
      return request.calls.map(({ action }) => action.summary).join(", ");
  }
}

function answerWords(answer: Exclude<NonNullable<InteractionCell["resolution"]>["answer"], { type: "void" }>): string {
  switch (answer.type) {
    case "approve":
      return answer.scope === undefined ? "approved once" : `approved (${answer.scope})`;
    case "plan":
      return answer.decision.replaceAll("-", " ");
    case "reply":
      return `answered ${answer.answers.map((parts) => parts.join(", ")).join("; ")}`;
    case "edit":
      return "changed";
    case "deny":
      return answer.message === undefined ? "denied" : `denied, "${answer.message}"`;
    case "expired":
    case "continue":
    case "stop":
    case "accept-as-done":
    case "run-again":
    case "undo":
    case "tell-model":
    case "discard":
      return answer.type.replaceAll("-", " ");
  }
}

function compactionRows(state: Extract<Cell, { type: "compaction" }>["state"], columns: number): readonly Row[] {
  switch (state.type) {
    case "running":
      return headedRows("· ", "summarising older messages …", columns, "muted");
    case "done":
      return headedRows("· ", "Older messages are now shown to the model as a summary.", columns, "muted");
    case "failed":
      return headedRows("! ", `The summary failed: ${state.message}`, columns, "warning");
    case "unknown":
      return [];
  }
}

function rewindRows(cell: RewindCell, columns: number): readonly Row[] {
  const { direction, keepTurns, conversation, fileCount, result } = cell;
  const files = fileCount === 0 ? "" : ` (${counted(fileCount, "file")} to restore)`;
  const what =
    direction === "forth"
      ? "What was taken back is brought back"
      : `${conversation ? "The conversation returns" : "The files return"} to ${endOfTurn(keepTurns)}`;
  return [
    ...headedRows("↶ ", `${what}${files}.`, columns, "warning"),
    ...(result?.restored ?? []).map(({ path, removed }) =>
      cutRow(rowOf(`  ${removed ? "removed" : "restored"} ${path}`, "good"), columns),
    ),
    ...(result?.conflicts ?? []).flatMap(({ path, reason }) =>
      headedRows("  ", `left alone ${path}: ${reason}`, columns, "bad"),
    ),
  ];
}

function turnEndRows(cell: TurnEndCell, columns: number): readonly Row[] {
  const { outcome, message, hint, durationMs, spending, rolledBack } = cell;
  const cost = spending.costUsd === null ? "" : ` · $${spending.costUsd.toFixed(4)}`;
  const tokens = ` · ${tokensText(spending.usage.inputTokens)} in, ${tokensText(spending.usage.outputTokens)} out`;
  const line = `${outcome} · ${timeText(durationMs)}${spending.modelCalls === 0 ? "" : tokens}${cost}`;
  const why = outcome === "done" || message === undefined ? [] : headedRows("✗ ", message, columns, "bad");
  const advice = hint === undefined ? [] : headedRows("  ", hint, columns);
  const undone = rolledBack
    ? headedRows("  ", "Nothing of this turn is in the conversation; its words are a draft again.", columns, "muted")
    : [];
  return [...why, ...advice, ...undone, cutRow(rowOf(`— ${line}`, "muted"), columns)];
}

function bytesText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${Math.round(bytes / 1024)} KB`;
}
