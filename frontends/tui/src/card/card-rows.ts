import {
  approvalCard,
  type ApprovalCard,
  cutRow,
  decisionText,
  markdownRows,
  parseMarkdown,
  type ProgressLine,
  questionNotes,
  type Row,
  rowOf,
  type RowSpan,
  rowWidth,
  textWidth,
  wrapRow,
} from "@capstan/view";
import { type Card, choicesOf, lookedAt } from "./card.ts";
import { counted } from "../cells/cell-view.ts";
import { askedLines } from "./asked-lines.ts";
import { changeLines, changeText } from "./change-rows.ts";
import { proposedRows } from "./proposed-rows.ts";
import type { Asked, CardChoice } from "./card-choices.ts";

export interface CardRows {
  readonly rows: readonly Row[];
  /** Of the line that is written for an answer. */
  readonly caret: { readonly row: number; readonly column: number } | null;
}

export interface CardRoom {
  readonly columns: number;
  /** Rows that it may take. What does not fit is counted, and shown with the details. */
  readonly rows: number;
  /** ms since 1970. */
  readonly now: number;
}

const planCharacters = 60_000;
const noRoom = 3;

/** What waits, with the ways to answer it. */
export function cardRows(card: Card, pending: readonly Asked[], room: CardRoom): CardRows {
  const interaction = lookedAt(card, pending);
  if (interaction === undefined) return { rows: [], caret: null };
  const { request } = interaction;
  const inside = room.columns - 2;
  if (request.type === "proposed" && card.focus === "draft") return putAway(card, room);
  const choices = choicesOf(card, pending);
  const foot = [...choiceRows(choices, card, inside), ...hintRows(card, request.type, inside)];
  const words = wordsRow(card, choices, inside);
  const least = foot.length + words.rows.length;
  const bodyRoom = { ...room, columns: inside, rows: room.rows - least };
  const body = fitted(bodyRows(card, interaction, pending, bodyRoom), bodyRoom.rows);
  const rows = [...body, ...foot, ...words.rows];
  const bar: RowSpan = { text: "▌ ", roles: card.focus === "card" ? ["warning"] : ["muted"] };
  return {
    rows: rows.map((row) => cutRow([bar, ...row], room.columns)),
    caret:
      words.column === null ? null : { row: rows.length - 1, column: Math.min(room.columns - 1, words.column + 2) },
  };
}

/** Nothing waits for proposed changes: until somebody is led to them, one row names them. */
function putAway({ ids }: Card, { columns }: CardRoom): CardRows {
  const row = [
    ...rowOf("▌ ", "muted"),
    ...rowOf(`${counted(ids.length, "file")} proposed`, "warning"),
    ...rowOf(" · Tab: to the card", "accent"),
  ];
  return { rows: [cutRow(row, columns)], caret: null };
}

function bodyRows(card: Card, interaction: Asked, pending: readonly Asked[], room: CardRoom): readonly Row[] {
  const { request } = interaction;
  switch (request.type) {
    case "approval":
      return card.ids.length > 1
        ? listRows(card, pending, room.columns)
        : approvalRows(approvalCard(request), room.columns);
    case "question": {
      const at = card.replies.length;
      const { question = "", options = [], multiple = false, ...more } = request.questions[at] ?? {};
      const asker = request.asker === undefined ? "" : `${shown(request.asker)} asks. `;
      const head = request.questions.length > 1 ? `Question ${at + 1} of ${request.questions.length}: ` : "";
      return [
        ...wrapRow([{ text: `${asker}${head}${shown(question)}`, roles: ["warning"] }], room.columns),
        ...questionNotes(more).flatMap((note) => wrapRow([{ text: shown(note), roles: ["muted"] }], room.columns)),
        ...options.flatMap(({ label, description }) =>
          description === undefined
            ? []
            : wrapRow([{ text: `${shown(label)} — ${shown(description)}`, roles: ["muted"] }], room.columns),
        ),
        ...(multiple ? [rowOf("Several may be chosen: numbers mark them, Enter sends them.", "muted")] : []),
      ];
    }
    case "proposed":
      return proposedRows(card, pending, room);
    case "plan-review":
      return [rowOf("A plan is ready for review:", "warning"), ...planRows(request.plan, room.columns)];
    case "budget":
    case "recovery":
    case "left-open":
      return askedLines(interaction, room.now).flatMap((line) => lineRows(line, room.columns));
  }
}

function planRows(plan: string, columns: number): readonly Row[] {
  return markdownRows(parseMarkdown(shown(plan)), columns);
}

function shown(text: string): string {
  return decisionText(text, { limitCharacters: planCharacters });
}

function approvalRows(card: ApprovalCard, columns: number): readonly Row[] {
  return [...titleRows(card, columns), ...reasonRows(card, columns), ...changeRows(card, columns)];
}

function titleRows({ title, changes, isRisky }: ApprovalCard, columns: number): readonly Row[] {
  const [only, ...more] = changes;
  const counts = only === undefined || more.length > 0 ? "" : ` (+${only.addedLines} −${only.removedLines})`;
  return wrapRow(
    [{ text: `${title}${counts}`, roles: ["warning", "strong"] }, ...rowOf(isRisky ? "  HIGH RISK" : "", "bad")],
    columns,
  );
}

function reasonRows({ warnings, reason }: ApprovalCard, columns: number): readonly Row[] {
  return [
    ...warnings.flatMap((text) => wrapRow([{ text: `! ${text}`, roles: ["bad"] }], columns)),
    ...(reason === null ? [] : wrapRow([{ text: reason, roles: [] }], columns)),
  ];
}

function changeRows({ changes }: ApprovalCard, columns: number): readonly Row[] {
  const [only, ...others] = changes;
  if (only === undefined) return [];
  return others.length > 0 ? changes.map((change) => rowOf(changeText(change))) : changeLines(only, columns);
}

/** Calls of one step, each with a box; the one that is looked at with what it would change. */
function listRows(card: Card, pending: readonly Asked[], columns: number): readonly Row[] {
  const entries = card.ids.flatMap((id, at): readonly Row[] => {
    const request = pending.find((entry) => entry.id === id)?.request;
    if (request?.type !== "approval") return [];
    const shownCard = approvalCard(request);
    const isLookedAt = at === card.at;
    const head = `${isLookedAt ? "›" : " "} [${card.selected.includes(id) ? "x" : " "}] ${shownCard.title}`;
    const title = wrapRow([{ text: head, roles: isLookedAt ? ["warning", "strong"] : [] }], columns);
    if (!isLookedAt) return title;
    return [...title, ...[...reasonRows(shownCard, columns - 6), ...changeRows(shownCard, columns - 6)].map(indented)];
  });
  return [rowOf(`${card.ids.length} calls wait; an answer is for those with an x:`, "warning"), ...entries];
}

function indented(row: Row): Row {
  return [{ text: "      ", roles: [] }, ...row];
}

function lineRows({ tone, text }: ProgressLine, columns: number): readonly Row[] {
  const roles = tone === "plain" || tone === "diff" ? [] : ([tone] as const);
  const indentation = /^ */.exec(text)?.[0] ?? "";
  return wrapRow([{ text: text.trimStart(), roles }], columns - indentation.length).map((row) => [
    { text: indentation, roles: [] },
    ...row,
  ]);
}

function choiceRows(choices: readonly CardChoice[], card: Card, columns: number): readonly Row[] {
  const spans = choices.map(({ digit, label, means }, at): RowSpan => {
    const mark = means.type === "reply" && card.marked.includes(means.label) ? "✓" : " ";
    return {
      text: `${digit}${mark}${shown(label).replaceAll("\n", " ")}`,
      roles: at === card.chosen ? ["selected"] : [],
    };
  });
  const rows: RowSpan[][] = [[]];
  let width = 0;
  for (const span of spans) {
    const row = rows.at(-1) ?? [];
    if (width > 0 && width + textWidth(span.text) + 3 > columns) {
      rows.push([span]);
      width = textWidth(span.text);
      continue;
    }
    if (width > 0) row.push({ text: " · ", roles: ["muted"] });
    row.push(span);
    width += textWidth(span.text) + (width > 0 ? 3 : 0);
  }
  return rows;
}

/** What keys do, those that are missed most first: a narrow screen cuts the end. */
function hintRows(card: Card, type: Asked["request"]["type"], columns: number): readonly Row[] {
  const no = type === "proposed" ? "refuses" : "denies";
  const many = card.ids.length > 1;
  const keys = [
    "a number answers",
    ...(many ? ["space selects"] : []),
    // What is asked in a question stands on its card.
    ...(type === "question" ? [] : ["v details"]),
    "Esc later",
    ...(many ? [`a all · d d ${no}`] : []),
  ].join(" · ");
  const text =
    card.focus === "draft"
      ? "Tab: to the card"
      : card.deniesNext
        ? `d again ${no} all of them`
        : card.words !== null
          ? "Enter answers with it · Esc back to the answers"
          : card.isPainted
            ? keys
            : "…";
  return [cutRow(rowOf(text, card.focus === "draft" || card.deniesNext ? "accent" : "muted"), columns)];
}

function wordsRow(
  card: Card,
  choices: readonly CardChoice[],
  columns: number,
): { readonly rows: readonly Row[]; readonly column: number | null } {
  if (card.words === null || card.focus !== "card") return { rows: [], column: null };
  const { digit: chosen } = card.words;
  const means = choices.find(({ digit }) => digit === chosen)?.means;
  const prompt = means?.type === "words" ? `${means.prompt}: ` : "> ";
  const rows = wrapRow([{ text: `${prompt}${card.words.text}`, roles: [] }], columns);
  const row = rows.at(-1) ?? [];
  const column = rowWidth(row);
  return { rows, column };
}

/** The beginning, with the number of rows that had no room. */
function fitted(rows: readonly Row[], room: number): readonly Row[] {
  const most = Math.max(noRoom, room);
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most - 1), rowOf(`… ${rows.length - most + 1} more rows: v shows all`, "accent")];
}
