import { inertLine } from "@capstan/view";
import { submit } from "./sending.ts";
import { counted } from "../cells/cell-view.ts";
import type { Tui } from "./tui.ts";

const titleCharacters = 120;

/** Asks which turns to take back and what of them, and says first what would change. */
export async function rewindTurns(tui: Tui): Promise<void> {
  const { turns } = await tui.session.client.snapshot();
  if (turns.length === 0) return tui.say("There is no turn to take back.");
  const words = new Map(
    [...tui.cells()].flatMap((cell) =>
      cell.type === "user"
        ? [[cell.turnId, cell.words.map((part) => (part.type === "text" ? part.text : "")).join(" ")] as const]
        : [],
    ),
  );
  const entries = turns
    .map(({ turnId, changed }, at) => ({
      value: at,
      label: `before turn ${at + 1}: ${inertLine(words.get(turnId) ?? "", titleCharacters)}`,
      about: changed.length === 0 ? "" : `${counted(changed.length, "file")} changed`,
    }))
    .toReversed();
  const keepTurns = await tui.overlays.pick("Return to the state", entries);
  if (keepTurns === null) return;
  const first = turns[keepTurns];
  await rewindTo(tui, keepTurns, first === undefined ? "" : (words.get(first.turnId) ?? ""));
}

async function rewindTo(tui: Tui, keepTurns: number, words: string): Promise<void> {
  const preview = await tui.session.client.previewRewind(keepTurns);
  const files = `${counted(preview.files.length, "file")}${preview.conflicts.length === 0 ? "" : `, ${preview.conflicts.length} in conflict`}`;
  const changed = preview.files.slice(0, 5).map(({ path, change }) => `${change} ${inertLine(path, titleCharacters)}`);
  const conflicts = preview.conflicts
    .slice(0, 5)
    .map(({ path, reason }) => `${inertLine(path, titleCharacters)}: ${reason}`);
  const what = await tui.overlays.pick(
    ["Take back", ...changed, ...conflicts.map((text) => `conflict: ${text}`), ...preview.left].join(" · "),
    [
      { value: "both" as const, label: "conversation and files", about: files },
      { value: "conversation" as const, label: "conversation only", about: "files stay as they are" },
      { value: "files" as const, label: "files only", about: files },
    ],
  );
  if (what === null) return;
  const receipt = await submit(tui, {
    type: "rewind",
    keepTurns,
    conversation: what !== "files",
    files: what !== "conversation",
  });
  // The words that led there are the next draft.
  if (receipt.type === "accepted" && what !== "files") tui.handBack(words);
}

/** The last turn, with its files. */
export async function undo(tui: Tui): Promise<void> {
  const { turns } = await tui.session.client.snapshot();
  if (turns.length === 0) return tui.say("There is no turn to take back.");
  const receipt = await submit(tui, { type: "rewind", keepTurns: turns.length - 1, conversation: true, files: true });
  if (receipt.type === "accepted") tui.say("Taken back; /redo brings it back.");
}

export async function redo(tui: Tui): Promise<void> {
  await submit(tui, { type: "unwind" });
}
