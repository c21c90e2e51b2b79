import { canonicalJson, deltaScope, type JournalRecord, supersededScope } from "@capstan/protocol";
import type { Evidence, PrintedEvent, Violation } from "./evidence.ts";

/** Nothing that a process printed is missing: records are there as they were, pieces in what superseded them. */
export function shownIsKept({ shown, journal }: Evidence): readonly Violation[] {
  const kept = new Map(journal.map(({ seq, record }) => [seq, record]));
  const problems = shown.flatMap((events) => [
    ...events.flatMap((event) => changedRecord(event, kept)),
    ...missingPieces(events, kept, journal),
  ]);
  return [...new Set(problems)].map((text) => ({ kind: "lost", text }));
}

function changedRecord({ seq, record }: PrintedEvent, kept: ReadonlyMap<number, JournalRecord>): readonly string[] {
  const stored = kept.get(seq);
  if (stored === undefined)
    return deltaScope(record) === undefined
      ? [`record ${seq} (${record.type}) was shown and is not in the journal`]
      : [];
  if (textOf(stored) === textOf(record)) return [];
  return [`record ${seq} was shown as ${record.type} and is stored as another ${stored.type}`];
}

function textOf(record: JournalRecord): string {
  return canonicalJson(JSON.parse(JSON.stringify(record)));
}

/** Pieces that are not stored any more must be part of what superseded them. */
function missingPieces(
  events: readonly PrintedEvent[],
  kept: ReadonlyMap<number, JournalRecord>,
  journal: readonly PrintedEvent[],
): readonly string[] {
  const begun = new Set(events.flatMap(({ record }) => (record.type === "step-started" ? [record.stepId] : [])));
  const groups = new Map<PrintedEvent | string, PrintedEvent[]>();
  for (const piece of events) {
    const scope = deltaScope(piece.record);
    if (scope === undefined || kept.has(piece.seq)) continue;
    const later = journal.find(({ seq, record }) => seq > piece.seq && supersededScope(record) === scope);
    groups.set(later ?? scope, [...(groups.get(later ?? scope) ?? []), piece]);
  }
  return [...groups].flatMap(([whole, parts]) =>
    typeof whole === "string"
      ? [
          `${parts.length} pieces of ${whole} were shown, and neither they nor what would supersede them is in the journal`,
        ]
      : piecesOf(whole, parts, begun),
  );
}

/** @param begun  steps that the process saw from their beginning; of others it shows what came after it had joined */
function piecesOf(
  { seq, record }: PrintedEvent,
  parts: readonly PrintedEvent[],
  begun: ReadonlySet<string>,
): readonly string[] {
  const text = parts.map((part) => (part.record.type === "text-delta" ? part.record.delta : "")).join("");
  const holds = (whole: string, stepId: string): boolean =>
    begun.has(stepId) ? whole.startsWith(text) : whole.includes(text);
  switch (record.type) {
    case "step-completed": {
      const whole = record.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      return holds(whole, record.stepId) ? [] : [`the answer in record ${seq} does not hold the text that was shown`];
    }
    case "step-abandoned":
      return holds(record.text, record.stepId)
        ? []
        : [`record ${seq} does not keep the text that was shown of the step`];
    case "tool-finished":
      return outputKept(seq, record, parts);
    default:
      // `step-retrying` says itself that what was shown is void.
      return [];
  }
}

/** A result repeats what people saw of the call's output, and so does what is said of an unknown outcome. */
function outputKept(
  seq: number,
  { outcome, spent }: Extract<JournalRecord, { type: "tool-finished" }>,
  parts: readonly PrintedEvent[],
): readonly string[] {
  // What an agent shows of its work is in its own journal.
  if (spent !== undefined) return [];
  if (outcome.type !== "done" && outcome.type !== "unknown") return [];
  const output = parts.map((part) => (part.record.type === "tool-output-delta" ? part.record.delta : "")).join("");
  const missing = output.split("\n").filter((line) => line.trim() !== "" && !outcome.content.includes(line.trim()));
  return missing.length === 0 ? [] : [`the result in record ${seq} lacks output that was shown: ${missing[0] ?? ""}`];
}
