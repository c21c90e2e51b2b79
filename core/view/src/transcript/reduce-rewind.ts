import { inertLine } from "@capstan/patterns";
import { type RewindRecord, unreachable } from "@capstan/protocol";
import { lineCharacters } from "../limits.ts";
import type { RewindResult } from "./cell.ts";
import { itemAt, itemsOf, shortened } from "./persistent-list.ts";
import { shownOrigin } from "./shown.ts";
import { changeCell, nextCell, type Transcript, type TurnMark, withCell, withWork } from "./transcript.ts";

type Of<Type extends RewindRecord["type"]> = Extract<RewindRecord, { type: Type }>;

export function reduceRewind(transcript: Transcript, record: RewindRecord, at: number): Transcript {
  switch (record.type) {
    case "rewind-started":
      return startRewind(transcript, record, at);
    case "rewind-finished":
      return finishRewind(transcript, record);
    default:
      return unreachable(record);
  }
}

function startRewind(transcript: Transcript, record: Of<"rewind-started">, at: number): Transcript {
  const { rewindId, direction, keepTurns, conversation, files, origin } = record;
  const opened = withWork(transcript, { rewind: { rewindId, cell: nextCell(transcript) } });
  return withCell(opened, {
    type: "rewind",
    at,
    isFinal: false,
    direction,
    keepTurns,
    conversation,
    turns: [...movedTurns(transcript, record)].map(({ turnId }) => turnId),
    fileCount: files.length,
    by: shownOrigin(origin),
    result: null,
  });
}

/** Going back: what leaves the conversation, or whose files go back. Going forth: what comes back. */
function movedTurns({ turns, work }: Transcript, { direction, keepTurns }: Of<"rewind-started">): Generator<TurnMark> {
  if (direction === "back") return itemsOf(turns, keepTurns);
  return itemsOf(work.rewound.at(-1)?.turns ?? turns, turns.length);
}

function finishRewind(transcript: Transcript, { rewindId, restored, conflicts }: Of<"rewind-finished">): Transcript {
  const { rewind, rewound } = transcript.work;
  if (rewind?.rewindId !== rewindId) return transcript;
  const cell = itemAt(transcript.cells, rewind.cell);
  if (cell?.type !== "rewind") return transcript;
  const result: RewindResult = {
    restored: restored.map(({ path, after }) => ({ path: shownPath(transcript, path), removed: after === null })),
    conflicts: conflicts.map(({ path, reason }) => ({
      path: shownPath(transcript, path),
      reason: inertLine(reason, lineCharacters),
    })),
  };
  const shown = changeCell(transcript, rewind.cell, () => ({ ...cell, isFinal: true, result }));
  const { turns, tasks } = transcript;
  if (cell.direction === "forth") {
    const before = rewound.at(-1) ?? { turns, tasks };
    return { ...withWork(shown, { rewind: null, rewound: rewound.slice(0, -1) }), ...before, measured: null };
  }
  const noted = withWork(shown, { rewind: null, rewound: [...rewound, { turns, tasks }] });
  const taken = itemAt(turns, cell.keepTurns);
  // Files alone: the conversation stays, with a word about it to the model.
  if (!cell.conversation || taken === undefined) return noted;
  return { ...noted, turns: shortened(turns, cell.keepTurns), tasks: taken.tasksBefore, measured: null };
}

/** Relative to the working directory where it lies in it, as calls name their files. */
function shownPath({ session }: Transcript, path: string): string {
  const folder = session === null ? null : `${session.workspace.cwd}/`;
  return inertLine(folder !== null && path.startsWith(folder) ? path.slice(folder.length) : path, lineCharacters);
}
