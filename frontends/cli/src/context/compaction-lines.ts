import { type CompactionEntry, compactionName, inertLine, tokensText } from "@capstan/view";
import { tableLines } from "../lists/table-lines.ts";
import { localTime } from "../lists/time-text.ts";

const writers = { model: "by the model", rules: "by rules", user: "your words" } as const;
/** Compactors that these words do not already name. */
const unnamed: readonly string[] = ["summarizer", "rules"];
const states = { running: "running", failed: "failed", shown: "shown", kept: "not shown", gone: "gone" } as const;
const reasons = {
  asked: "asked for",
  budget: "the window was full",
  overflow: "the vendor said it was too long",
} as const;

/** A compaction a line, the newest first. */
export function compactionLines(
  entries: readonly CompactionEntry[],
  { width }: { readonly width?: number },
): readonly string[] {
  if (entries.length === 0) return ["No messages were summarised in this session."];
  return tableLines(
    entries.toReversed(),
    [
      { rank: 0, text: ({ compaction }) => compactionName(compaction) },
      { rank: 0, text: ({ state }) => states[state] },
      { rank: 1, text: ({ messageCount }) => `the first ${messageCount} messages` },
      { rank: 2, text: tokensOf },
      { rank: 3, text: writerOf },
      { rank: 5, text: ({ reason }) => reasons[reason] },
      { rank: 4, text: ({ at }) => localTime(at) },
    ],
    width,
  );
}

function writerOf({ state, by, compactor }: CompactionEntry): string {
  if (state === "failed" || state === "running") return "";
  return unnamed.includes(compactor) ? writers[by] : `${writers[by]} (${inertLine(compactor, 40)})`;
}

function tokensOf({ tokens }: CompactionEntry): string {
  return tokens === null ? "" : `${tokensText(tokens.before)} → ${tokensText(tokens.after)} tokens`;
}
