import { isJsonObject, type JsonObject, type JsonValue, unreachable } from "@capstan/protocol";
import type { ScenarioFinish } from "../../scenario/scenario.ts";
import { splitText } from "../split-text.ts";
import type { Answer, AnswerCall } from "../wire.ts";
import { signPart } from "./sign-part.ts";

/** The chunks of a streamed answer: thoughts, text, then the calls; the last one ends it and may bring a call as well. */
export function renderGoogleEvents(answer: Answer): readonly string[] {
  const { thinking, text, pieceBytes } = answer;
  const tail = JSON.stringify(envelope(answer)).slice(1);
  const calls = callParts(answer);
  const early = calls.slice(0, -1).map((part) => chunk(JSON.stringify(part), tail));
  const [last = lastText(answer)] = calls.slice(-1);
  return [
    ...splitText(thinking, pieceBytes).map((piece) => chunk(`{"text":${JSON.stringify(piece)},"thought":true}`, tail)),
    ...splitText(text, pieceBytes).map((piece) => chunk(`{"text":${JSON.stringify(piece)}}`, tail)),
    ...early,
    data({ candidates: [candidate(answer, [last])], ...envelope(answer) }),
  ];
}

/** The whole answer, for requests that do not stream. */
export function renderGoogleResponse(answer: Answer): string {
  const signed = answer.calls.length === 0 && answer.thinking !== "";
  const text = { text: answer.text, ...(signed ? textSignature(answer) : {}) };
  const parts: readonly JsonValue[] = [
    ...(answer.thinking === "" ? [] : [{ text: answer.thinking, thought: true }]),
    ...(answer.text === "" && !signed ? [] : [text]),
    ...callParts(answer),
  ];
  return JSON.stringify({ candidates: [candidate(answer, parts)], ...envelope(answer) });
}

/** One server-sent event. */
export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

// Only the piece is serialised: a large answer has tens of thousands of these.
function chunk(part: string, tail: string): string {
  return `data: {"candidates":[{"content":{"parts":[${part}],"role":"model"},"index":0}],${tail}\n\n`;
}

function candidate(answer: Answer, parts: readonly JsonValue[]): JsonObject {
  return { content: { parts, role: "model" }, finishReason: finishReason(answer.finish), index: 0 };
}

/** Where there is no call to carry it, the signature comes on a text part of its own. */
function lastText(answer: Answer): JsonObject {
  return { text: "", ...(answer.thinking === "" ? {} : textSignature(answer)) };
}

function textSignature(answer: Answer): JsonObject {
  return { thoughtSignature: signPart({ type: "text" }, identity(answer)) };
}

/** Of parallel calls the first is signed. Models before Gemini 3 name no ids. */
function callParts(answer: Answer): readonly JsonObject[] {
  const withIds = !/^gemini-[12]\b/.test(answer.model);
  return answer.calls.map((call, index) => ({
    functionCall: { ...(withIds ? { id: call.id } : {}), name: call.name, args: wholeArguments(call) },
    ...(index === 0 ? { thoughtSignature: signPart({ type: "call", name: call.name }, identity(answer)) } : {}),
  }));
}

function identity(answer: Answer): string {
  return JSON.stringify([answer.number, answer.thinking, answer.text]);
}

// The wire has no form for malformed arguments; a string where an object belongs is the nearest fault.
function wholeArguments(call: AnswerCall): JsonValue {
  try {
    const args: unknown = JSON.parse(call.argumentsText);
    return isJsonObject(args) ? args : call.argumentsText;
  } catch {
    return call.argumentsText;
  }
}

function envelope({ number, model, usage }: Answer): JsonObject {
  const visible = usage.outputTokens - usage.reasoningTokens;
  return {
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      ...(usage.cachedInputTokens > 0 ? { cachedContentTokenCount: usage.cachedInputTokens } : {}),
      candidatesTokenCount: visible,
      ...(usage.reasoningTokens > 0 ? { thoughtsTokenCount: usage.reasoningTokens } : {}),
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
    modelVersion: model,
    responseId: `rehearsal${String(number).padStart(4, "0")}`,
  };
}

function finishReason(finish: ScenarioFinish): string {
  switch (finish) {
    case "stop":
    case "tool-calls":
    case "pause":
      return "STOP";
    case "length":
      return "MAX_TOKENS";
    case "content-filter":
      return "SAFETY";
    case "refusal":
      return "PROHIBITED_CONTENT";
    default:
      return unreachable(finish);
  }
}
