import { emptyTranscript, rowOf, statusOf } from "@capstan/view";
import { asciiForm } from "../../app/src/terminal.ts";
import { draftOf, emptyDraft, insertImage, insertPaste, insertText } from "../../frontends/tui/src/draft/draft.ts";
import { type Vim, vimAtStart } from "../../frontends/tui/src/draft/vim/vim.ts";
import { atEnd, newPager } from "../../frontends/tui/src/overlay/pager.ts";
import { newPicker } from "../../frontends/tui/src/overlay/picker.ts";
import { agentRows } from "../../frontends/tui/src/panes/agent-rows.ts";
import { taskRows } from "../../frontends/tui/src/panes/task-rows.ts";
import { type Theme, themes } from "../../frontends/tui/src/terminal/theme.ts";
import type { ScreenScript } from "./paint-screen.ts";
import { proposals, questions } from "./questions.ts";
import { sessions } from "./sessions.ts";

/** The golden screens by the paths of their files, without their ending. */
export interface GoldenScreen extends ScreenScript {
  /** Absent: each role is written as a letter. */
  readonly theme?: Theme;
}

const small = { columns: 40, rows: 10 };
const usual = { columns: 80, rows: 24 };
const wide = { columns: 140, rows: 40 };
const huge = { columns: 300, rows: 100 };

const entries = [
  { value: 1, label: "anthropic/claude-opus", about: "200k · $15 in, $75 out" },
  { value: 2, label: "openai/gpt-large", about: "400k · $10 in, $40 out" },
  { value: 3, label: "google/gemini-pro", about: "1M · price not known" },
];
const picker = newPicker<unknown>("Models that your keys reach", entries);
const actions = [
  { chord: "ctrl+r", key: "^R", label: "renames" },
  { chord: "ctrl+d", key: "^D", label: "deletes" },
];
const pages = Array.from({ length: 80 }, (_, at) => rowOf(`${at + 1}  record of the journal`));
const pager = newPager("Journal", pages, [0, 20, 40]);
const pasted = "a line of the paste\n".repeat(24);
const pasteLimits = { lines: 10, characters: 1000 };
const inVisual: Vim = { ...vimAtStart, mode: "visual", anchor: { line: 0, at: 0 } };

const drafts: Readonly<Record<string, Omit<ScreenScript, "size" | "records">>> = {
  words: { draft: draftOf("words that were not sent yet") },
  lines: {
    draft: draftOf("first line\nsecond line\nthird line, which is long enough to be wrapped on a narrow screen"),
  },
  wide: { draft: draftOf("漢字とかな 🙂 and e\u0301") },
  paste: { draft: insertPaste(draftOf("look at "), pasted, pasteLimits) },
  image: { draft: insertImage(draftOf("see "), { mediaType: "image/png", data: "aGk=" }) },
  offers: {
    draft: draftOf("/mo"),
    offers: [
      rowOf("› /mode  next mode, or the one that is named", "selected"),
      rowOf("  /model  another model", "muted"),
    ],
  },
  hint: { hint: "no command /modee; nearest: /mode" },
  panes: {
    panes: [
      ...taskRows(
        Array.from({ length: 9 }, (_, at) => ({
          step: `step ${at + 1} of a longer piece of work`,
          status: at < 4 ? "done" : at === 4 ? "in-progress" : "pending",
        })),
        80,
      ),
      ...agentRows([{ name: "explore", task: "Find it.", status: statusOf(emptyTranscript, 0) }], 80),
    ],
  },
  normal: { draft: draftOf("words in normal mode"), vim: { ...vimAtStart, mode: "normal" } },
  visual: { draft: draftOf("chosen words"), vim: inVisual },
  tall: { draft: insertText(emptyDraft, Array.from({ length: 40 }, (_, at) => `line ${at + 1}`).join("\n")) },
};

const looks: Readonly<Record<string, Required<Pick<ScreenScript, "asked" | "card">>>> = {
  "put-away": { asked: proposals, card: (card) => card },
  marked: { asked: proposals, card: (card) => ({ ...card, focus: "card", at: 1, selected: card.ids.slice(1) }) },
  one: { asked: proposals.slice(1, 2), card: (card) => ({ ...card, focus: "card" }) },
};

const begun = sessions["empty"] ?? [];
const answered = sessions["answer"] ?? [];

function each<Value>(
  folder: string,
  values: Readonly<Record<string, Value>>,
  script: (value: Value) => Omit<GoldenScreen, "size">,
): readonly (readonly [name: string, screen: GoldenScreen])[] {
  return Object.entries(values).flatMap(([name, value]) => [
    [`${folder}/${name}-80x24`, { ...script(value), size: usual }] as const,
    [`${folder}/${name}-40x10`, { ...script(value), size: small }] as const,
  ]);
}

export const goldenScreens: ReadonlyMap<string, GoldenScreen> = new Map<string, GoldenScreen>([
  ...each("sessions", sessions, (records) => ({ records })),
  ...each("cards", questions, (asked) => ({ records: sessions["preparing"] ?? [], asked })),
  ...each("proposals", looks, ({ asked, card }) => ({ records: answered, asked, card })),
  ...each("drafts", drafts, (draft) => ({ records: begun, ...draft })),
  ...each("lists", { picker, filtered: { ...picker, filter: "gem" }, browser: { ...picker, actions } }, (shown) => ({
    records: begun,
    overlay: { type: "picker", picker: shown },
  })),
  ["lists/pager-80x24", { records: begun, overlay: { type: "pager", pager }, size: usual }],
  ["lists/pager-at-end-40x10", { records: begun, overlay: { type: "pager", pager: atEnd(pager, small) }, size: small }],
  ...Object.entries(themes).map(([name, theme]): readonly [string, GoldenScreen] => [
    `themes/${name}`,
    { records: sessions["edit"] ?? [], asked: questions["command"] ?? [], size: usual, theme },
  ]),
  ["themes/ascii-80x24", { records: answered, size: usual, asSent: asciiForm, theme: themes.none }],
  [
    "themes/ascii-card-80x24",
    { records: begun, asked: questions["edit"] ?? [], size: usual, asSent: asciiForm, theme: themes.none },
  ],
  ["sizes/answer-140x40", { records: answered, size: wide }],
  ["sizes/edit-140x40", { records: sessions["edit"] ?? [], size: wide }],
  ["sizes/card-140x40", { records: begun, asked: questions["edit"] ?? [], size: wide }],
  ["sizes/answer-300x100", { records: answered, size: huge }],
  ["sizes/answer-full-80x24", { records: answered, size: usual, isFull: true }],
  ["sizes/long-full-40x10", { records: sessions["long"] ?? [], size: small, isFull: true }],
  ["sizes/card-full-80x24", { records: answered, asked: questions["command"] ?? [], size: usual, isFull: true }],
]);
