import { canonicalJson, type JournalRecord, type ToolCallId, type ToolOutcome } from "@capstan/protocol";
import type { PlannedEffect } from "../scripts/script.ts";
import type { Evidence, PrintedEvent, Violation } from "./evidence.ts";

/** What the journal says of the call that has an effect. */
interface CallStory {
  readonly tool: string;
  readonly outcome: ToolOutcome | undefined;
  /** How often somebody chose that it runs again. */
  readonly chosenAgain: number;
}

/** Every effect took place exactly once, or the journal says that nobody knows; nothing took place that it does not report. */
export function effectsOnce(evidence: Evidence): readonly Violation[] {
  return evidence.effects.flatMap((effect) => {
    const stories = [evidence.journal, ...evidence.agents].map((journal) => storyOf(effect.id, journal));
    const story = stories.find((found) => found !== undefined);
    const [least, most] = allowedTimes(effect, story);
    const reported = story === undefined ? "is in no journaled call" : `belongs to a call that is ${wordOf(story)}`;
    return effect.files.flatMap((file): readonly Violation[] => {
      const times = timesIn(evidence.files[file] ?? "", effect.id);
      const text = `${effect.id} stands ${times} times in ${file} and ${reported}`;
      if (times > most) return [{ kind: "doubled", text }];
      return times < least ? [{ kind: "lost", text }] : [];
    });
  });
}

/** Calls whose outcome the journal reports as unknown. */
export function unknownCalls(journal: readonly PrintedEvent[]): number {
  return journal.filter(({ record }) => record.type === "tool-finished" && record.outcome.type === "unknown").length;
}

function timesIn(text: string, id: string): number {
  return text.split("\n").filter((line) => line === id).length;
}

function wordOf({ outcome, chosenAgain }: CallStory): string {
  return `${outcome?.type ?? "still open"}${chosenAgain === 0 ? "" : `, run again by choice ${chosenAgain} times`}`;
}

/** The least and the greatest number of times that an effect may be found. */
function allowedTimes({ kind }: PlannedEffect, story: CallStory | undefined): readonly [number, number] {
  if (story === undefined) return [0, 0];
  // Whatever becomes of its call: a hook is asked once, or was cut off.
  if (kind === "hook") return [0, 1];
  const most = 1 + story.chosenAgain;
  switch (story.outcome?.type) {
    case "done":
      return [kind === "main" ? 1 : 0, most];
    case "unknown":
    case "cancelled":
    case undefined:
      return [0, most];
    case "failed":
      // A file tool that fails has changed nothing; a command may have, before it was ended.
      return [0, story.tool === "run_command" ? most : 0];
    case "denied":
    case "rejected":
    case "proposed":
      return [0, 0];
  }
}

function storyOf(id: string, journal: readonly PrintedEvent[]): CallStory | undefined {
  const records = journal.map(({ record }) => record);
  const calls = records.flatMap((record) => (record.type === "step-completed" ? record.message.content : []));
  const call = calls.find((block) => block.type === "tool-call" && argumentsOf(block).includes(id));
  if (call?.type !== "tool-call") return undefined;
  return {
    tool: call.name,
    outcome: outcomeOf(records, call.callId),
    chosenAgain: records.filter(
      (record) => record.type === "tool-restarted" && record.callId === call.callId && record.reason === "chosen",
    ).length,
  };
}

function argumentsOf(block: Extract<CallBlock, { type: "tool-call" }>): string {
  return block.arguments.type === "json" ? canonicalJson(block.arguments.value) : "";
}

type CallBlock = Extract<JournalRecord, { type: "step-completed" }>["message"]["content"][number];

function outcomeOf(records: readonly JournalRecord[], callId: ToolCallId): ToolOutcome | undefined {
  const finished = records.find((record) => record.type === "tool-finished" && record.callId === callId);
  return finished?.type === "tool-finished" ? finished.outcome : undefined;
}
