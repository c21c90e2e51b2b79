import { isJsonObject, type JsonObject, type JsonValue, type Usage, type UserContent } from "@capstan/protocol";
import { argumentsOf, countAt, listAt, objectAt, textAt, timeAt } from "../fields.ts";
import { mediaOfUrl } from "../foreign-media.ts";
import type { ForeignAnswer, ForeignBlock, ForeignEntry, ForeignResult, ForeignSession } from "../foreign-session.ts";
import type { Healing } from "../healing.ts";
import { type ResultContent, resultContent } from "../result-content.ts";

/** Parts beside the conversation. */
const silentParts: readonly string[] = [
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "agent",
  "retry",
  "compaction",
];

/** Whether a document is what `opencode export` writes: `{ info, messages: [{ info, parts }] }`. */
export function isOpencode(document: JsonObject): boolean {
  return objectAt(document, "info") !== undefined && Array.isArray(document["messages"]);
}

export function readOpencode(document: JsonObject, healing: Healing): ForeignSession {
  const info = objectAt(document, "info");
  const messages = listAt(document, "messages").filter((message) => isJsonObject(message));
  const kept = withoutReverted(messages, textAt(objectAt(info, "revert"), "messageID"), healing);
  return { agent: "opencode", id: textAt(info, "id"), entries: kept.flatMap((message) => entriesOf(message, healing)) };
}

/** Messages from the reverted one on were taken back by the user. */
function withoutReverted(messages: readonly JsonObject[], revertedId: string, healing: Healing): readonly JsonObject[] {
  const start = messages.findIndex((message) => textAt(objectAt(message, "info"), "id") === revertedId);
  if (revertedId === "" || start === -1) return messages;
  healing.note("entries of abandoned branches left out", messages.length - start);
  return messages.slice(0, start);
}

function entriesOf(message: JsonObject, healing: Healing): readonly ForeignEntry[] {
  const info = objectAt(message, "info");
  const parts = listAt(message, "parts").filter((part: JsonValue) => isJsonObject(part));
  const at = timeAt(objectAt(info, "time"), "created");
  if (info?.["role"] === "user") {
    const content = parts.flatMap((part) => userContent(part, healing));
    return content.length === 0 ? [] : [{ type: "user", content, at }];
  }
  if (info?.["role"] !== "assistant") {
    healing.note("unknown entries skipped");
    return [];
  }
  if (info["summary"] === true) {
    const text = parts.flatMap((part) => (part["type"] === "text" ? [textAt(part, "text")] : [])).join("\n");
    return [{ type: "summary", text, kept: 0, at }];
  }
  return answers(info, parts, healing);
}

function userContent(part: JsonObject, healing: Healing): readonly UserContent[] {
  switch (part["type"]) {
    case "text":
      return part["ignored"] === true ? [] : [{ type: "text", text: textAt(part, "text") }];
    case "file":
      return mediaOfUrl(textAt(part, "url"), healing);
    default:
      noteUnknown(part, healing);
      return [];
  }
}

/** A message of parts: what comes after the results of calls is another answer. */
function answers(info: JsonObject, parts: readonly JsonObject[], healing: Healing): readonly ForeignEntry[] {
  const entries: ForeignEntry[] = [];
  const at = timeAt(objectAt(info, "time"), "created");
  let blocks: ForeignBlock[] = [];
  let results: ForeignResult[] = [];
  let spent: Pick<ForeignAnswer, "usage" | "costUsd"> = spending(info);
  const close = (): void => {
    if (blocks.length > 0) entries.push({ type: "answer", blocks, model: modelOf(info), ...spent, at }, ...results);
    if (blocks.length > 0) spent = {};
    blocks = [];
    results = [];
  };
  for (const part of parts) {
    const isCall = part["type"] === "tool";
    const block = isCall ? callBlock(part) : textBlock(part, healing);
    if (block === undefined) continue;
    if (!isCall && results.length > 0) close();
    blocks.push(block);
    if (isCall) results.push(...resultOf(part, at, healing));
  }
  close();
  return entries;
}

function textBlock(part: JsonObject, healing: Healing): ForeignBlock | undefined {
  switch (part["type"]) {
    case "text":
      return { type: "text", text: textAt(part, "text") };
    case "reasoning":
      return { type: "thinking", text: textAt(part, "text") };
    default:
      noteUnknown(part, healing);
      return undefined;
  }
}

function callBlock(part: JsonObject): ForeignBlock {
  const args = argumentsOf(objectAt(part, "state")?.["input"]);
  return { type: "call", callId: textAt(part, "callID"), name: textAt(part, "tool"), arguments: args };
}

/** Calls that were pending or running have none. */
function resultOf(part: JsonObject, at: number, healing: Healing): readonly ForeignResult[] {
  const state = objectAt(part, "state");
  const callId = textAt(part, "callID");
  switch (state?.["status"]) {
    case "completed":
      return [{ type: "result", callId, ...outputOf(state, healing), outcome: "done", at }];
    case "error":
      return [{ type: "result", callId, content: textAt(state, "error"), media: [], outcome: "failed", at }];
    default:
      return [];
  }
}

function outputOf(state: JsonObject, healing: Healing): ResultContent {
  const { content, media } = resultContent(listAt(state, "attachments"), healing);
  return { content: [textAt(state, "output"), content].filter((text) => text !== "").join("\n"), media };
}

function modelOf(info: JsonObject): string {
  return [textAt(info, "providerID"), textAt(info, "modelID")].filter((name) => name !== "").join("/");
}

function spending(info: JsonObject): Pick<ForeignAnswer, "usage" | "costUsd"> {
  const tokens = objectAt(info, "tokens");
  const { cost } = info;
  return {
    ...(tokens === undefined ? {} : { usage: usageOf(tokens) }),
    // 0 stands there for models whose price opencode does not know, too.
    ...(typeof cost === "number" && cost > 0 ? { costUsd: cost } : {}),
  };
}

function usageOf(tokens: JsonObject): Usage {
  const cache = objectAt(tokens, "cache");
  const cachedInputTokens = countAt(cache, "read");
  const cacheWriteTokens = countAt(cache, "write");
  const reasoningTokens = countAt(tokens, "reasoning");
  return {
    inputTokens: countAt(tokens, "input") + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: countAt(tokens, "output") + reasoningTokens,
    reasoningTokens,
  };
}

function noteUnknown(part: JsonObject, healing: Healing): void {
  if (!silentParts.includes(textAt(part, "type"))) healing.note("unknown entries skipped");
}
