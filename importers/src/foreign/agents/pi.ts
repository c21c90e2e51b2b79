import type { JsonObject, Usage, UserContent } from "@capstan/protocol";
import { argumentsOf, blocksOf, countAt, objectAt, textAt, timeAt } from "../fields.ts";
import { inlineMedia } from "../foreign-media.ts";
import type { ForeignBlock, ForeignEntry, ForeignSession } from "../foreign-session.ts";
import type { Healing } from "../healing.ts";
import { resultContent } from "../result-content.ts";

/** Entries that hold no part of the conversation. */
const bookkeeping: readonly string[] = [
  "session",
  "model_change",
  "thinking_level_change",
  "label",
  "custom",
  "session_info",
  "ephemeral",
  "leaf",
];

/** Whether a first line is that of pi: `~/.pi/agent/sessions/--<path>--/*.jsonl`. */
export function isPi(line: JsonObject): boolean {
  return line["type"] === "session" && "id" in line && ("cwd" in line || "version" in line);
}

/** The branch of a pi session that was worked on last. */
export function readPi(lines: readonly JsonObject[], healing: Healing): ForeignSession {
  const branch = piBranch(lines, healing);
  const entries: ForeignEntry[] = [];
  /** How many entries there were before each line, to say what a compaction kept. */
  const places = new Map<string, number>();
  for (const [at, line] of branch.entries()) {
    places.set(textAt(line, "id") || String(at), entries.length);
    entries.push(...entriesOf(line, { places, count: entries.length }, healing));
  }
  return { agent: "pi", id: textAt(lines.find(isPi), "id"), entries };
}

interface Before {
  readonly places: ReadonlyMap<string, number>;
  readonly count: number;
}

function entriesOf(line: JsonObject, before: Before, healing: Healing): readonly ForeignEntry[] {
  const at = timeAt(line, "timestamp");
  const type = textAt(line, "type");
  switch (type) {
    case "message":
      return messageEntries(objectAt(line, "message") ?? {}, at, healing);
    case "compaction": {
      const first = before.places.get(textAt(line, "firstKeptEntryId"));
      const kept = first === undefined ? 0 : before.count - first;
      return [{ type: "summary", text: textAt(line, "summary"), kept, at }];
    }
    case "branch_summary":
      return spoken([{ type: "text", text: `[Summary of a branch that was left]\n${textAt(line, "summary")}` }], at);
    case "custom_message":
      return spoken(contentOf(line, healing), at);
    default:
      if (!bookkeeping.includes(type)) healing.note("unknown entries skipped");
      return [];
  }
}

function messageEntries(message: JsonObject, at: number, healing: Healing): readonly ForeignEntry[] {
  switch (message["role"]) {
    case "user":
    case "custom":
    case "hookMessage":
      return spoken(contentOf(message, healing), at);
    case "assistant":
      return [answer(message, at, healing)];
    case "toolResult": {
      const content = resultContent(message["content"], healing);
      const outcome = message["isError"] === true ? "failed" : "done";
      return [{ type: "result", callId: textAt(message, "toolCallId"), ...content, outcome, at }];
    }
    case "bashExecution":
      return message["excludeFromContext"] === true ? [] : spoken([{ type: "text", text: bashText(message) }], at);
    case "branchSummary":
    case "compactionSummary":
      return spoken([{ type: "text", text: textAt(message, "summary") }], at);
    default:
      healing.note("unknown entries skipped");
      return [];
  }
}

function spoken(content: readonly UserContent[], at: number): readonly ForeignEntry[] {
  return content.length === 0 ? [] : [{ type: "user", content, at }];
}

function contentOf(message: JsonObject, healing: Healing): readonly UserContent[] {
  return blocksOf(message["content"]).flatMap((block): readonly UserContent[] =>
    block["type"] === "image"
      ? inlineMedia(textAt(block, "mimeType"), textAt(block, "data"), healing)
      : [{ type: "text", text: textAt(block, "text") }],
  );
}

/** A command that the user ran, in the user's name. */
function bashText(message: JsonObject): string {
  const code = message["exitCode"];
  const end = typeof code === "number" ? `exit code ${code}` : "no exit code";
  return `I ran \`${textAt(message, "command")}\` (${end}):\n${textAt(message, "output")}`;
}

function answer(message: JsonObject, at: number, healing: Healing): ForeignEntry {
  const usage = objectAt(message, "usage");
  const cost = objectAt(usage, "cost")?.["total"];
  return {
    type: "answer",
    blocks: blocksOf(message["content"]).flatMap((block) => answerBlock(block, healing)),
    model: textAt(message, "model"),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
    ...(typeof cost === "number" ? { costUsd: cost } : {}),
    at,
  };
}

function answerBlock(block: JsonObject, healing: Healing): readonly ForeignBlock[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: textAt(block, "text") }];
    case "thinking":
      return [{ type: "thinking", text: textAt(block, "thinking") }];
    case "toolCall": {
      const args = argumentsOf(block["arguments"]);
      return [{ type: "call", callId: textAt(block, "id"), name: textAt(block, "name"), arguments: args }];
    }
    default:
      healing.note("unknown entries skipped");
      return [];
  }
}

function usageOf(usage: JsonObject): Usage {
  const cachedInputTokens = countAt(usage, "cacheRead");
  const cacheWriteTokens = countAt(usage, "cacheWrite");
  return {
    inputTokens: countAt(usage, "input") + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: countAt(usage, "output"),
    reasoningTokens: 0,
  };
}

/** The lines from the root to the last one, in order; all of them in the oldest form, which had no ids. */
function piBranch(lines: readonly JsonObject[], healing: Healing): readonly JsonObject[] {
  const entries = lines.filter((line) => line["type"] !== "session");
  if (!entries.some((line) => textAt(line, "id") !== "")) return entries;
  const places = new Map<string, number>();
  for (const [at, line] of entries.entries()) places.set(textAt(line, "id"), at);
  const branch: JsonObject[] = [];
  let at = entries.length - 1;
  while (at >= 0) {
    const line = entries[at];
    if (line === undefined) break;
    branch.push(line);
    at = parentOf(line, at, places);
  }
  healing.note("entries of abandoned branches left out", entries.length - branch.length);
  return branch.toReversed();
}

/** A lost parent is taken for the line before. */
function parentOf(line: JsonObject, at: number, places: ReadonlyMap<string, number>): number {
  const parent = textAt(line, "parentId");
  if (parent === "") return "parentId" in line ? -1 : at - 1;
  const place = places.get(parent);
  return place !== undefined && place < at ? place : at - 1;
}
