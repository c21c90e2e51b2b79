import { type JsonObject, unreachable } from "@capstan/protocol";
import type { ScenarioFinish } from "../../scenario/scenario.ts";
import type { Answer, AnswerCall } from "../wire.ts";
import { callMark, sealReasoning } from "./seal-reasoning.ts";

/** One item of an answer's output. */
export type OutputItem = ReasoningOutput | MessageOutput | CallOutput;

export interface ReasoningOutput {
  readonly type: "reasoning";
  readonly id: string;
  readonly text: string;
  readonly sealed: string;
}

export interface MessageOutput {
  readonly type: "message";
  readonly id: string;
  readonly status: string;
  readonly refused: boolean;
  readonly text: string;
}

interface CallOutput {
  readonly type: "function_call" | "custom_tool_call";
  readonly id: string;
  readonly status: string;
  readonly call: AnswerCall;
}

/** An answer as the wire's items: reasoning first, bound to what it led to. */
export function outputOf(answer: Answer): readonly OutputItem[] {
  const { text, thinking, calls, finish } = answer;
  const number = String(answer.number).padStart(4, "0");
  const id = `rs_rehearsal_${number}`;
  const leadsTo = text === "" ? callMark(calls[0]?.name ?? "") : text;
  const cut = statusOf(finish);
  return [
    ...(thinking === ""
      ? []
      : [
          { type: "reasoning" as const, id, text: thinking, sealed: sealReasoning({ id, summary: thinking }, leadsTo) },
        ]),
    ...(text === ""
      ? []
      : [
          {
            type: "message" as const,
            id: `msg_rehearsal_${number}`,
            status: calls.length > 0 ? "completed" : cut,
            refused: finish === "refusal",
            text,
          },
        ]),
    ...calls.map((call, index) => ({
      type: call.customInput === undefined ? ("function_call" as const) : ("custom_tool_call" as const),
      id: `${call.customInput === undefined ? "fc" : "ctc"}_rehearsal_${number}_${index + 1}`,
      status: index < calls.length - 1 ? "completed" : cut,
      call,
    })),
  ];
}

/** An item as it is announced, still empty. */
export function begunItem(item: OutputItem): JsonObject {
  switch (item.type) {
    case "reasoning":
      return { id: item.id, type: "reasoning", summary: [] };
    case "message":
      return { id: item.id, type: "message", status: "in_progress", role: "assistant", content: [] };
    case "function_call":
      return { ...wholeItem(item), status: "in_progress", arguments: "" };
    case "custom_tool_call":
      return { ...wholeItem(item), status: "in_progress", input: "" };
    default:
      return unreachable(item);
  }
}

/** An item once it is done. */
export function wholeItem(item: OutputItem): JsonObject {
  switch (item.type) {
    case "reasoning":
      return {
        id: item.id,
        type: "reasoning",
        summary: [summaryPart(item.text)],
        encrypted_content: item.sealed,
      };
    case "message":
      return {
        id: item.id,
        type: "message",
        status: item.status,
        role: "assistant",
        content: [contentPart(item.text, item.refused)],
      };
    case "function_call":
      return {
        id: item.id,
        type: "function_call",
        status: item.status,
        call_id: item.call.id,
        name: item.call.name,
        arguments: item.call.argumentsText,
      };
    case "custom_tool_call":
      return {
        id: item.id,
        type: "custom_tool_call",
        status: item.status,
        call_id: item.call.id,
        name: item.call.name,
        input: item.call.customInput ?? "",
      };
    default:
      return unreachable(item);
  }
}

/** A part of a reasoning item's summary. */
export function summaryPart(text: string): JsonObject {
  return { type: "summary_text", text };
}

/** A part of a message: what the model says, or why it declines. */
export function contentPart(text: string, refused: boolean): JsonObject {
  return refused ? { type: "refusal", refusal: text } : { type: "output_text", text, annotations: [], logprobs: [] };
}

/** The wire's word for how an answer ended. */
export function statusOf(finish: ScenarioFinish): string {
  return incompleteDetails(finish) === null ? "completed" : "incomplete";
}

/** What cut an answer short; `null`: nothing. */
export function incompleteDetails(finish: ScenarioFinish): JsonObject | null {
  switch (finish) {
    case "stop":
    case "tool-calls":
    // This wire has no word for either: a refusal is a part of its own, and a pause does not exist.
    case "refusal":
    case "pause":
      return null;
    case "length":
      return { reason: "max_output_tokens" };
    case "content-filter":
      return { reason: "content_filter" };
    default:
      return unreachable(finish);
  }
}
