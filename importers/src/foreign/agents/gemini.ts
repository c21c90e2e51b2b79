import { isJsonObject, type JsonObject, type JsonValue, type Usage, type UserContent } from "@capstan/protocol";
import { argumentsOf, blocksOf, countAt, listAt, objectAt, textAt, timeAt } from "../fields.ts";
import { inlineMedia } from "../foreign-media.ts";
import type { ForeignBlock, ForeignEntry, ForeignResult, ForeignSession } from "../foreign-session.ts";
import { functionResponseContent, joinedContent } from "./gemini-response.ts";
import type { Healing } from "../healing.ts";

/** Lines that the Gemini CLI shows and never sends. */
const shownOnly: readonly string[] = ["info", "error", "warning"];

/** Whether a document, or the first line, is a session of the Gemini CLI: `~/.gemini/tmp/<hash>/chats/session-*.json` or `.jsonl`. */
export function isGemini(head: JsonObject): boolean {
  return typeof head["sessionId"] === "string" && ("projectHash" in head || Array.isArray(head["messages"]));
}

export function readGemini(document: JsonObject, healing: Healing): ForeignSession {
  const messages = listAt(document, "messages").filter((message) => isJsonObject(message));
  return geminiSession(textAt(document, "sessionId"), messages, healing);
}

/** The newer form: a line for each message; a later line of the same id replaces an earlier one, and `$rewindTo` takes back. */
export function readGeminiLines(lines: readonly JsonObject[], healing: Healing): ForeignSession {
  const messages = new Map<string, JsonObject>();
  let id = "";
  for (const line of lines) {
    const rewound = textAt(line, "$rewindTo");
    if (rewound !== "") rewind(messages, rewound, healing);
    else if (typeof line["id"] === "string") messages.set(line["id"], line);
    else if ("$set" in line) replaceAll(messages, objectAt(line, "$set"));
    else id ||= textAt(line, "sessionId");
  }
  return geminiSession(id, [...messages.values()], healing);
}

function rewind(messages: Map<string, JsonObject>, id: string, healing: Healing): void {
  const ids = [...messages.keys()];
  const taken = ids.slice(Math.max(0, ids.indexOf(id)));
  healing.note("entries of abandoned branches left out", taken.length);
  for (const gone of taken) messages.delete(gone);
}

/** An update of the head may bring all messages again. */
function replaceAll(messages: Map<string, JsonObject>, update: JsonObject | undefined): void {
  const all = listAt(update, "messages").filter((message) => isJsonObject(message));
  if (all.length === 0) return;
  messages.clear();
  for (const message of all) messages.set(textAt(message, "id"), message);
}

function geminiSession(id: string, messages: readonly JsonObject[], healing: Healing): ForeignSession {
  return { agent: "Gemini CLI", id, entries: messages.flatMap((message) => entriesOf(message, healing)) };
}

function entriesOf(message: JsonObject, healing: Healing): readonly ForeignEntry[] {
  const at = timeAt(message, "timestamp");
  const type = textAt(message, "type");
  if (type === "user") return said(blocksOf(message["content"]), at, healing);
  if (type === "gemini") return answer(message, at, healing);
  if (!shownOnly.includes(type)) healing.note("unknown entries skipped");
  return [];
}

function said(parts: readonly JsonObject[], at: number, healing: Healing): readonly ForeignEntry[] {
  const content = parts.flatMap((part): readonly UserContent[] => {
    const inline = objectAt(part, "inlineData");
    if (inline !== undefined) return inlineMedia(textAt(inline, "mimeType"), textAt(inline, "data"), healing);
    return [{ type: "text", text: textAt(part, "text") }];
  });
  return content.length === 0 ? [] : [{ type: "user", content, at }];
}

function answer(message: JsonObject, at: number, healing: Healing): readonly ForeignEntry[] {
  const thoughts = listAt(message, "thoughts").flatMap((thought: JsonValue): readonly ForeignBlock[] => {
    if (!isJsonObject(thought)) return [];
    const text = [textAt(thought, "subject"), textAt(thought, "description")].filter((part) => part !== "").join("\n");
    return [{ type: "thinking", text }];
  });
  const texts = blocksOf(message["content"]).map((part): ForeignBlock => ({
    type: "text",
    text: textAt(part, "text"),
  }));
  const calls = listAt(message, "toolCalls").filter((call) => isJsonObject(call));
  const blocks = [...thoughts, ...texts, ...calls.map((call) => callBlock(call))];
  const tokens = objectAt(message, "tokens");
  const usage = tokens === undefined ? {} : { usage: usageOf(tokens) };
  const results = calls.flatMap((call) => resultOf(call, at, healing));
  return [{ type: "answer", blocks, model: textAt(message, "model"), ...usage, at }, ...results];
}

function callBlock(call: JsonObject): ForeignBlock {
  const args = argumentsOf(call["args"]);
  return { type: "call", callId: textAt(call, "id"), name: textAt(call, "name"), arguments: args };
}

/** Calls that had not ended have none. */
function resultOf(call: JsonObject, at: number, healing: Healing): readonly ForeignResult[] {
  const callId = textAt(call, "id");
  const content = joinedContent(
    blocksOf(call["result"] ?? undefined).map((part) => functionResponseContent(part, healing)),
  );
  switch (call["status"]) {
    case "success":
      return [{ type: "result", callId, ...content, outcome: "done", at }];
    case "error":
      return [{ type: "result", callId, ...content, outcome: "failed", at }];
    case "cancelled":
      return [{ type: "result", callId, ...content, outcome: "cancelled", at }];
    default:
      return [];
  }
}

function usageOf(tokens: JsonObject): Usage {
  const reasoningTokens = countAt(tokens, "thoughts");
  return {
    inputTokens: countAt(tokens, "input"),
    cachedInputTokens: countAt(tokens, "cached"),
    cacheWriteTokens: 0,
    outputTokens: countAt(tokens, "output") + reasoningTokens,
    reasoningTokens,
  };
}
