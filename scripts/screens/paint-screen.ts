import headless from "@xterm/headless";
import type { JournalRecord } from "@capstan/protocol";
import { emptyTranscript, reduce, type Row, statusOf } from "@capstan/view";
import { type Card, cardFor, quietMs, withFocus } from "../../frontends/tui/src/card/card.ts";
import type { Asked } from "../../frontends/tui/src/card/card-choices.ts";
import { type Draft, emptyDraft } from "../../frontends/tui/src/draft/draft.ts";
import type { Vim } from "../../frontends/tui/src/draft/vim/vim.ts";
import type { Overlay } from "../../frontends/tui/src/run/overlays.ts";
import { introRows, Screen, type ShownSession } from "../../frontends/tui/src/run/screen.ts";
import { statusItems } from "../../frontends/tui/src/status/status-items.ts";
import type { Size } from "../../frontends/tui/src/terminal/frame.ts";
import type { Terminal } from "../../frontends/tui/src/terminal/terminal.ts";
import type { Theme } from "../../frontends/tui/src/terminal/theme.ts";

/** A screen of the terminal UI, and all that it depends on. */
export interface ScreenScript {
  readonly records: readonly JournalRecord[];
  readonly asked?: readonly Asked[];
  readonly card?: (card: Card) => Card;
  readonly draft?: Draft;
  readonly vim?: Vim;
  readonly overlay?: Overlay;
  readonly offers?: readonly Row[];
  readonly hint?: string;
  readonly panes?: readonly Row[];
  readonly size: Size;
  readonly isFull?: boolean;
  readonly asSent?: (text: string) => string;
}

/** A cell of a terminal, as it shows it. */
export interface PaintedCell {
  /** Empty: the second half of a wide letter. */
  readonly text: string;
  /** Parameters of `CSI … m` that would make it so. */
  readonly style: string;
}

export interface PaintedScreen {
  /** From the beginning of the scrollback on. */
  readonly lines: readonly (readonly PaintedCell[])[];
  /** The first line that the screen shows. */
  readonly top: number;
  readonly caret: { readonly row: number; readonly column: number };
}

const said = { items: statusItems.filter((item) => item !== "folder"), folder: "", line: null };

/** ms since 1970, of the screen; records came in the seconds before. */
const now = 1_000_000;
const recordsAt = now - 12_000;

/** Paints by the writers that users have, into a terminal that reads what they send. */
export async function paintScreen(script: ScreenScript, theme: Theme): Promise<PaintedScreen> {
  const { size, isFull = false, asSent = (text: string): string => text } = script;
  const emulator = new headless.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: 1000,
    allowProposedApi: true,
  });
  const screen = new Screen(terminalTo(emulator, size), { theme, asSent }, isFull);
  if (isFull) emulator.write("\u001b[?1049h");
  const session = sessionOf(script);
  screen.begin(introRows(session.transcript.title, false));
  const { draft = emptyDraft, vim = null, overlay = null, offers = [], hint = null, panes = [] } = script;
  const opened = cardFor(null, session.asked, 0);
  const focused = opened === null ? null : { ...withFocus(opened, true, 0, quietMs), isPainted: true };
  const card = focused === null || script.card === undefined ? focused : script.card(focused);
  screen.paint({ session, draft, vim, card, overlay, offers, hint, tick: null, said, panes, now });
  await new Promise<void>((resolve) => emulator.write("", resolve));
  const painted = paintedOf(emulator);
  emulator.dispose();
  return painted;
}

function sessionOf({ records, asked = [] }: ScreenScript): ShownSession {
  const transcript = records
    .map((record, at) => ({ seq: at + 1, at: recordsAt + at * 100, record }))
    .reduce(reduce, emptyTranscript);
  return {
    transcript,
    asked,
    status: (at) => ({ ...statusOf(transcript, at), waiting: asked.length }),
    client: { identity: { user: "ada" } },
  };
}

function terminalTo(emulator: InstanceType<typeof headless.Terminal>, size: Size): Terminal {
  return {
    size,
    write: (bytes) => emulator.write(bytes),
    flushed: async () => undefined,
    enter: () => undefined,
    leave: () => undefined,
    fullScreen: (on) => emulator.write(`\u001b[?1049${on ? "h" : "l"}`),
    listen: () => () => undefined,
  };
}

function paintedOf(emulator: InstanceType<typeof headless.Terminal>): PaintedScreen {
  const { active } = emulator.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => {
    const line = active.getLine(row);
    return Array.from({ length: emulator.cols }, (_cell, column): PaintedCell => {
      const cell = line?.getCell(column);
      if (cell === undefined) return { text: " ", style: "" };
      return { text: cell.getWidth() === 0 ? "" : cell.getChars() || " ", style: styleOf(cell) };
    });
  });
  return { lines, top: active.baseY, caret: { row: active.cursorY, column: active.cursorX } };
}

type Cell = NonNullable<
  ReturnType<NonNullable<ReturnType<InstanceType<typeof headless.Terminal>["buffer"]["active"]["getLine"]>>["getCell"]>
>;

function styleOf(cell: Cell): string {
  const attributes = [
    cell.isBold() ? "1" : "",
    cell.isDim() ? "2" : "",
    cell.isItalic() ? "3" : "",
    cell.isUnderline() ? "4" : "",
    cell.isInverse() ? "7" : "",
    cell.isStrikethrough() ? "9" : "",
  ];
  const color = cell.getFgColor();
  const foreground = cell.isFgRGB()
    ? `38;2;${color >> 16};${(color >> 8) & 0xff};${color & 0xff}`
    : cell.isFgPalette()
      ? `38;5;${color}`
      : "";
  return [...attributes, foreground].filter((part) => part !== "").join(";");
}
