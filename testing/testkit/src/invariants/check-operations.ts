import { type SessionState, snapshot } from "@capstan/session";
import type { Interaction, JournalRecord } from "@capstan/protocol";
import type { Prefix } from "./prefix.ts";

/** Invariants 5, 7, 9 and 11. Returns what is wrong. */
export function checkOperations(places: readonly Prefix[]): readonly string[] {
  return [
    ...checkOneThing(places),
    ...checkBackground(places),
    ...checkTurnEnds(places),
    ...checkInteractions(places),
    ...checkOriginals(places),
  ];
}

/** Invariant 5, read from the records alone. */
function checkOneThing(places: readonly Prefix[]): readonly string[] {
  let open: OpenThing = { type: "nothing", id: "" };
  let step = "";
  let waiting: string | undefined;
  return places.flatMap(({ at, record }) => {
    const problem = (text: string): readonly string[] => [`record ${at}: ${record.type} ${text}`];
    switch (record.type) {
      case "turn-started": {
        const wrong = open.type !== "nothing";
        open = { type: "turn", id: record.turnId };
        return wrong ? problem("while something else runs") : [];
      }
      case "turn-ended": {
        // A turn may be cancelled while it waits for a summary.
        const wrong = ![open.id, waiting].includes(record.turnId) || step !== "";
        open = { type: "nothing", id: "" };
        waiting = undefined;
        return wrong ? problem("of a turn that does not run, or with a step open") : [];
      }
      case "compaction-started": {
        const isAgain = open.id === record.stepId;
        const wrong = !isAgain && `${open.id}${step}` !== (record.turnId ?? "");
        if (!isAgain) waiting = record.turnId;
        open = { type: "compaction", id: record.stepId };
        return wrong ? problem("while something else runs") : [];
      }
      case "compaction-completed":
      case "compaction-failed": {
        const wrong = open.id !== record.stepId;
        open = afterCompaction(waiting);
        return wrong ? problem("of a compaction that does not run") : [];
      }
      case "step-started": {
        const wrong = open.id !== record.turnId || !["", record.stepId].includes(step);
        step = record.stepId;
        return wrong ? problem("while another step streams") : [];
      }
      case "step-completed":
      case "step-abandoned": {
        const wrong = step !== record.stepId;
        step = "";
        return wrong ? problem("of a step that does not stream") : [];
      }
      case "tool-started":
        return step === "" && open.type === "turn" ? [] : problem("outside of a batch");
      default:
        return [];
    }
  });
}

/** Invariant 5, of what is made beside a turn: one summary at a time, of messages that are there, ended once or waited for. */
function checkBackground(places: readonly Prefix[]): readonly string[] {
  return places.flatMap(({ at, record, before, after }) => {
    const problem = (text: string): readonly string[] => [`record ${at}: ${record.type} ${text}`];
    const open = before.background?.stepId;
    const { background } = after;
    if (background !== null && background.messageCount > after.conversation.length)
      return problem("leaves a summary of messages that were taken back");
    switch (record.type) {
      case "summary-started":
        return open === undefined || open === record.stepId ? [] : problem("beside another summary");
      case "summary-made":
      case "summary-dropped":
        if (open !== record.stepId) return problem("of a summary that is not made");
        return [
          ...(background === null ? [] : problem("leaves it open")),
          ...differ(after.summary, before.summary, `record ${at}: a summary beside the turn is shown at once`),
        ];
      case "compaction-started":
        return background === null ? [] : problem("leaves a summary beside it");
      default:
        return [];
    }
  });
}

interface OpenThing {
  readonly type: "nothing" | "turn" | "compaction";
  readonly id: string;
}

/** @param waiting  the turn that waited for the summary */
function afterCompaction(waiting: string | undefined): OpenThing {
  return waiting === undefined ? { type: "nothing", id: "" } : { type: "turn", id: waiting };
}

/** Invariant 7. */
function checkTurnEnds(places: readonly Prefix[]): readonly string[] {
  let begin: Prefix | undefined;
  let toolRan = false;
  return places.flatMap(({ at, record, after }) => {
    const started = record.type === "turn-started";
    if (started) begin = places[at];
    if (started) toolRan = false;
    if (record.type === "tool-started") toolRan = true;
    if (record.type !== "turn-ended") return [];
    const failed = record.outcome === "error" || record.outcome === "provider-failed";
    const problems: string[] = [];
    if (failed && record.rolledBack === toolRan)
      problems.push(`record ${at}: a failed turn is rolled back exactly when no tool ran`);
    if (record.rolledBack && toolRan) problems.push(`record ${at}: a turn in which a tool ran was rolled back`);
    if (record.rolledBack) problems.push(...checkRollBack(begin, record, after));
    return problems;
  });
}

function checkRollBack(
  begin: Prefix | undefined,
  ended: Extract<JournalRecord, { type: "turn-ended" }>,
  after: SessionState,
): readonly string[] {
  if (begin?.record.type !== "turn-started") return ["a turn ended that never began"];
  const { before, record } = begin;
  return [
    ...differ(after.conversation, before.conversation, "a rolled back turn left something in the conversation"),
    ...differ(after.knownFacts, before.knownFacts, "a rolled back turn left facts that the model was not informed of"),
    ...differ(after.summary, before.summary, "a rolled back turn left another summary"),
    ...differ(after.tasks, before.tasks, "a rolled back turn left another task list"),
    ...differ(ended.draft, record.content, "the draft is not what the user said"),
  ];
}

/** Invariant 9: opened once, resolved once, shown exactly in between. */
function checkInteractions(places: readonly Prefix[]): readonly string[] {
  const open = new Map<string, Interaction>();
  const seen = new Set<string>();
  return places.flatMap(({ at, record, after }) => {
    const problems: string[] = [];
    if (record.type === "interaction-opened") {
      if (seen.has(record.interaction.id))
        problems.push(`record ${at}: interaction ${record.interaction.id} opened twice`);
      seen.add(record.interaction.id);
      open.set(record.interaction.id, record.interaction);
    }
    if (record.type === "interaction-resolved" && !open.delete(record.interactionId))
      problems.push(`record ${at}: interaction ${record.interactionId} resolved and not open`);
    if (record.type === "turn-ended" && open.size > 0)
      problems.push(`record ${at}: a turn ended with an open interaction`);
    if (showsPending(record, after))
      problems.push(...differ(byId(snapshot(after, 0).pending), byId([...open.values()]), `record ${at}: pending`));
    return problems;
  });
}

/** An edited call is asked about again, in its old place. */
function byId(interactions: readonly Interaction[]): readonly Interaction[] {
  return interactions.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** A denial and its outcome are two records of one decision: in between a batch shows more than is open. */
function showsPending({ type }: JournalRecord, { operation, config }: SessionState): boolean {
  if (config === null) return false;
  return operation.type !== "tool-loop" || type === "interaction-opened" || type === "tool-started";
}

/** Invariant 11: a compaction changes what is shown and nothing else. */
function checkOriginals(places: readonly Prefix[]): readonly string[] {
  return places.flatMap(({ at, record, before, after }) =>
    record.type.startsWith("compaction-") || record.type.startsWith("summary-")
      ? differ(
          after.conversation.slice(0, before.conversation.length),
          before.conversation,
          `record ${at}: a compaction changed the originals`,
        )
      : [],
  );
}

function differ(actual: unknown, expected: unknown, problem: string): readonly string[] {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
  return is === should ? [] : [`${problem}: ${is} instead of ${should}`];
}
