import { inertLine, inertPiece, inertText } from "@capstan/patterns";
import {
  type AssistantMessage,
  type JournalRecord,
  type ToolCallBlock,
  type ToolOutcome,
  type ToolRecord,
  unreachable,
  withTaskList,
} from "@capstan/protocol";
import { lineCharacters, outputTailCharacters } from "../limits.ts";
import type { CallCell, CallEnd, CallState } from "./cell.ts";
import { itemAt } from "./persistent-list.ts";
import { commandDetails, shownChange } from "./shown.ts";
import { changeCell, nextCell, type Transcript, withCell, withWork } from "./transcript.ts";
import { writtenSummary } from "./written-summary.ts";

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { type: Type }>;

/** The calls of an answer, in call order, each at its place from now on. */
export function openCalls(transcript: Transcript, message: AssistantMessage, at: number): Transcript {
  return message.content.reduce(
    (next, block) => (block.type === "tool-call" ? openCall(next, block, at) : next),
    transcript,
  );
}

/** One call, at its place from now on. */
export function openCall(transcript: Transcript, written: ToolCallBlock, at: number): Transcript {
  const { callId, name, arguments: args } = written;
  const tool = inertLine(name, lineCharacters);
  const calls = [...transcript.work.calls, { callId, cell: nextCell(transcript), held: "" }];
  const call = {
    type: "call",
    at,
    isFinal: false,
    callId,
    tool,
    summary: writtenSummary(written),
    arguments: args,
  } as const;
  return withCell(withWork(transcript, { calls }), {
    ...call,
    isEdited: false,
    decision: null,
    state: { type: "written" },
  });
}

export function reduceCall(transcript: Transcript, record: ToolRecord | Of<"call-edited">, at: number): Transcript {
  switch (record.type) {
    case "tool-decided":
      return changeCall(transcript, record.callId, (call) => decided(call, record));
    case "tool-started":
      return changeState(transcript, record.callId, () => ({ type: "running", startedAt: at, output: "" }));
    case "tool-deferred":
      return changeCall(transcript, record.callId, (call) => ({ ...call, decision: null, state: { type: "written" } }));
    case "tool-output-delta":
      return print(transcript, record);
    case "tool-probed":
      return changeState(transcript, record.callId, () => interrupted(record));
    case "tool-restarted":
      return changeState(transcript, record.callId, () => ({ type: "decided" }));
    case "call-edited": {
      const args = { type: "json", value: record.arguments } as const;
      return changeCall(transcript, record.callId, (call) => ({
        ...call,
        arguments: args,
        isEdited: true,
        decision: null,
        state: { type: "written" },
      }));
    }
    case "tool-finished":
      return finishCall(transcript, record);
    case "tool-effects":
      return transcript;
    default:
      return unreachable(record);
  }
}

/** The last call of that name that is open: vendors use names again. */
function changeCall(transcript: Transcript, callId: string, change: (call: CallCell) => CallCell): Transcript {
  const open = transcript.work.calls.findLast((call) => call.callId === callId);
  if (open === undefined) return transcript;
  return changeCell(transcript, open.cell, (cell) => (cell.type === "call" ? change(cell) : cell));
}

function changeState(transcript: Transcript, callId: string, change: (state: CallState) => CallState): Transcript {
  return changeCall(transcript, callId, (call) => {
    const state = change(call.state);
    return state === call.state ? call : { ...call, state };
  });
}

function decided(call: CallCell, { action, judgement }: Of<"tool-decided">): CallCell {
  const { tool, summary, effect, session } = action;
  return {
    ...call,
    tool: inertLine(tool, lineCharacters),
    summary: inertText(summary).replaceAll("\n", " ⏎ "),
    effect,
    ...(session === undefined ? {} : { session }),
    decision: { verdict: judgement.verdict, reason: inertText(judgement.reason) },
    state: { type: "decided" },
  };
}

/** Where a program goes back to write over its line; at the end of a piece it may be half of a line's end. */
const overwriting = /\r(?![\n]|$)/g;

/** Only the end of the output is kept. What is written over a line stands on a line of its own. */
function print(transcript: Transcript, { callId, delta }: Of<"tool-output-delta">): Transcript {
  const { calls } = transcript.work;
  const open = calls.findLast((call) => call.callId === callId);
  if (open === undefined) return transcript;
  const { text, held } = inertPiece("", (open.held + delta).replace(overwriting, "\n"));
  const noted = withWork(transcript, { calls: calls.map((call) => (call === open ? { ...call, held } : call)) });
  return changeState(noted, callId, (state) => {
    if (state.type !== "running") return state;
    return { ...state, output: (state.output + text).slice(-outputTailCharacters).toWellFormed() };
  });
}

function interrupted({ finding }: Of<"tool-probed">): CallState {
  const text = finding.type === "ended" ? "" : inertText(finding.text);
  return { type: "interrupted", finding: finding.type, text };
}

function finishCall(transcript: Transcript, record: Of<"tool-finished">): Transcript {
  const { callId } = record;
  const { calls } = transcript.work;
  const open = calls.findLast((call) => call.callId === callId);
  if (open === undefined) return transcript;
  const ended = changeCall(transcript, callId, (call) => ({
    ...call,
    isFinal: true,
    state: { type: "ended", end: endOf(record) },
  }));
  const { outcome } = record;
  const rest = withWork(ended, { calls: calls.filter((call) => call !== open) });
  return outcome.type === "done" ? withTasks(rest, open.cell) : rest;
}

function endOf({ outcome, changes, durationMs }: Of<"tool-finished">): CallEnd {
  const details = commandDetails("details" in outcome ? outcome.details : undefined);
  return {
    outcome: outcome.type,
    succeeded: succeeded(outcome) && (details.exitCode === undefined || details.exitCode === 0),
    ...details,
    ...(outcome.type === "denied" ? { deniedBy: outcome.by } : {}),
    ...("code" in outcome && outcome.code !== undefined ? { code: outcome.code } : {}),
    content: inertText(outcome.content),
    changes: changes.map(shownChange),
    durationMs,
  };
}

function succeeded({ type }: ToolOutcome): boolean {
  return type === "done" || type === "proposed";
}

function withTasks(transcript: Transcript, place: number): Transcript {
  const call = callAt(transcript, place);
  if (call?.session?.type !== "update-plan") return transcript;
  const { list, tasks } = call.session;
  return { ...transcript, tasks: withTaskList(transcript.tasks, list, tasks) };
}

function callAt({ cells }: Transcript, place: number): CallCell | undefined {
  const cell = itemAt(cells, place);
  return cell?.type === "call" ? cell : undefined;
}
