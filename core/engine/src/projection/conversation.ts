import {
  type AssistantMessage,
  canonicalJson,
  type Message,
  type UserBlock,
  type Task,
  type ToolOutcome,
  type UserMessage,
} from "@capstan/protocol";
import { outcomes } from "../model/outcome-texts.ts";
import type { Summary } from "../model/marks.ts";
import type { Batch, PendingCall, SessionState } from "../model/state.ts";

/**
 * What was said and done, as the model would read it now. Total: a journal cut anywhere gives a conversation in which roles
 * alternate and every call is answered once, in order.
 */
export function conversation(state: SessionState): readonly Message[] {
  const { operation } = state;
  const open = operation.type === "tool-loop" || operation.type === "recovery" ? [batchResults(operation.batch)] : [];
  return mergedMessages(state.summary, state.conversation, open);
}

/** Joins neighbours of the same role and puts the summary in place of what it stands for. Messages that stand alone keep their identity. */
export function mergedMessages(
  summary: SessionState["summary"],
  messages: readonly Message[],
  tail: readonly Message[],
): readonly Message[] {
  const merged: Message[] = summary === null ? [] : [summaryMessage(summary)];
  for (const message of [...messages.slice(summary?.messageCount ?? 0), ...tail]) {
    const last = merged.at(-1);
    if (last?.role === "user" && message.role === "user") merged[merged.length - 1] = joinUsers(last, message);
    else if (last?.role === "assistant" && message.role === "assistant") joinAnswers(merged, last, message);
    else merged.push(message);
  }
  return merged[0]?.role === "assistant" ? [bridge, ...merged] : merged;
}

/** One user message with every call's result, in call order; a user's own command is reported in words. */
export function batchResults(batch: Batch): UserMessage {
  if (batch.isUsers === true) return { role: "user", content: batch.calls.map(commandReported) };
  return { role: "user", content: batch.calls.map((pending) => resultOf(pending, batch.edited)) };
}

function outcomeOf(pending: PendingCall): ToolOutcome {
  return pending.type === "settled" ? pending.outcome : pending.type === "running" ? outcomes.unknown : outcomes.notRun;
}

function resultOf(pending: PendingCall, edited: readonly string[]): UserBlock {
  const outcome = outcomeOf(pending);
  const isError = outcome.type !== "done" && outcome.type !== "proposed";
  return {
    type: "tool-result",
    callId: pending.call.callId,
    toolName: pending.call.name,
    content: `${editNote(pending, edited)}${isError && outcome.content.trim() === "" ? silentFailure : outcome.content}`,
    isError,
  };
}

function commandReported(pending: PendingCall): UserBlock {
  const { call } = pending;
  const args = call.arguments.type === "json" ? call.arguments.value : {};
  const text = `[The user ran a command: ${canonicalJson(args["command"] ?? args["argv"] ?? null)}]\n${outcomeOf(pending).content}`;
  return { type: "text", text };
}

/** The model must know that something else was run than it asked for. */
function editNote({ call }: PendingCall, edited: readonly string[]): string {
  if (!edited.includes(call.callId) || call.arguments.type !== "json") return "";
  return `[The user changed the arguments of this call to ${canonicalJson(call.arguments.value)}]\n`;
}

/** Vendors refuse an error without words. */
const silentFailure = "(no output)";

/** Results come first: vendors demand them directly after the calls. */
function joinUsers(first: UserMessage, second: UserMessage): UserMessage {
  const blocks = [...first.content, ...second.content];
  const results = blocks.filter((block) => block.type === "tool-result");
  return { role: "user", content: [...results, ...blocks.filter((block) => block.type !== "tool-result")] };
}

/** A paused answer and its continuation are one answer; answers of different models are kept apart. */
function joinAnswers(merged: Message[], first: AssistantMessage, second: AssistantMessage): void {
  const sameModel = first.origin.wire === second.origin.wire && first.origin.provider === second.origin.provider;
  if (sameModel && first.words === second.words)
    merged[merged.length - 1] = { ...first, content: [...first.content, ...second.content] };
  else merged.push(bridge, second);
}

function summaryMessage({ text, tasks }: Summary): UserMessage {
  const list = tasks.length === 0 ? "" : `\n\n${taskList(tasks)}`;
  return { role: "user", content: [{ type: "text", text: `[Summary of the conversation so far]\n${text}${list}` }] };
}

/** The task list, as the model reads it again when what it was shown of it is there no longer. */
function taskList(tasks: readonly Task[]): string {
  return ["The task list:", ...tasks.map(({ step, status }) => `- [${marks[status]}] ${step}`)].join("\n");
}

const marks: Readonly<Record<Task["status"], string>> = { pending: " ", "in-progress": ">", done: "x" };

/** Stands where vendors demand that the user speaks and nothing was said. */
const bridge: UserMessage = { role: "user", content: [{ type: "text", text: "(continue)" }] };
