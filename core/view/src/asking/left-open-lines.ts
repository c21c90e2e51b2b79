import { inertLine } from "@capstan/patterns";
import type { ProgressLine } from "../layout/progress-line.ts";
import { lineCharacters } from "../limits.ts";
import type { CallCell } from "../transcript/cell.ts";
import { itemAt, itemsOf } from "../transcript/persistent-list.ts";
import type { Transcript } from "../transcript/transcript.ts";

/** What an earlier process was doing when it ended, and what is known of each call; none where nothing was open. Inert. */
export function leftOpenLines(transcript: Transcript): readonly ProgressLine[] {
  const { work, queued } = transcript;
  const facts = [...answerFacts(transcript), ...callFacts(transcript), ...otherFacts(transcript)];
  if (work.turn === null && facts.length === 0 && queued.length === 0) return [];
  const waiting = queued.length === 0 ? [] : [`${queued.length} queued: sent after it, in their order`];
  const nothingYet = work.turn !== null && facts.length === 0 ? ["the model had not answered yet: it is asked"] : [];
  return [
    {
      tone: "warning",
      text: "An earlier process ended in the middle of this, and nothing is carried on with unasked:",
    },
    ...turnWords(transcript).map((text): ProgressLine => ({ tone: "muted", text: `  › ${text}` })),
    ...[...facts, ...nothingYet, ...waiting].map((text): ProgressLine => ({ tone: "plain", text: `  ${text}` })),
  ];
}

function turnWords({ work: { turn }, cells }: Transcript): readonly string[] {
  if (turn === null) return [];
  const asked = [...itemsOf(cells, 0)].findLast((cell) => cell.type === "user" && cell.turnId === turn.turnId);
  if (asked?.type !== "user") return [];
  const words = asked.words.map((part) => (part.type === "text" ? part.text : `[${part.name ?? part.mediaType}]`));
  return [inertLine(words.join(" "), lineCharacters)];
}

function answerFacts({ work }: Transcript): readonly string[] {
  return work.step === null ? [] : ["the answer was being written: the model is asked once more"];
}

function callFacts({ work, cells }: Transcript): readonly string[] {
  return work.calls.flatMap((call) => {
    const cell = itemAt(cells, call.cell);
    return cell?.type === "call" ? [callFact(cell)] : [];
  });
}

function callFact({ summary, state, effect }: CallCell): string {
  const name = inertLine(summary, lineCharacters);
  switch (state.type) {
    case "written":
    case "decided":
      return `◌ ${name}: it had not begun`;
    case "running":
      if (effect === "delegate") return `▸ ${name}: it was running, and is carried on with`;
      return effect === "read"
        ? `▸ ${name}: it was running, and only reads: it runs again`
        : `▸ ${name}: it was running, and its end is not known: what it left is looked at before anything runs`;
    case "interrupted":
      return `? ${name}: ${inertLine(state.text, lineCharacters)}`;
    case "ended":
      return `✓ ${name}: its result is known, and it does not run again`;
    case "unknown":
      return `? ${name}: no outcome is recorded`;
  }
}

function otherFacts({ work }: Transcript): readonly string[] {
  return [
    ...(work.compaction === null ? [] : ["older messages were being summarised"]),
    ...(work.rewind === null ? [] : ["files were being taken back"]),
    ...(work.interactions.length === 0 ? [] : ["what was asked is asked again, where it still has to be"]),
    ...(work.retry === null ? [] : ["a model call had failed, and its next attempt was waited for"]),
  ];
}
