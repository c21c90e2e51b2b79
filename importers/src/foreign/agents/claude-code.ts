import { type JsonObject, noUsage, type Usage, type UserContent } from "@capstan/protocol";
import { claudeBranch } from "./claude-branch.ts";
import { argumentsOf, blocksOf, countAt, objectAt, textAt, timeAt } from "../fields.ts";
import { inlineMedia } from "../foreign-media.ts";
import type { ForeignBlock, ForeignEntry, ForeignSession } from "../foreign-session.ts";
import type { Healing } from "../healing.ts";
import { resultContent } from "../result-content.ts";

/** Lines that hold no part of the conversation. */
const bookkeeping: readonly string[] = [
  "summary",
  "file-history-snapshot",
  "queue-operation",
  "progress",
  "system",
  "attachment",
  "last-prompt",
  "custom-title",
  "ai-title",
  "tag",
  "agent-name",
  "agent-color",
  "agent-setting",
  "mode",
  "permission-mode",
  "pr-link",
  "saved_hook_context",
];

/** Whether lines are those of Claude Code: `~/.claude/projects/<directory>/<uuid>.jsonl`. */
export function isClaudeCode(line: JsonObject): boolean {
  const { type } = line;
  if (type === "summary") return "leafUuid" in line;
  const isSaid = (type === "user" || type === "assistant") && objectAt(line, "message") !== undefined;
  return (isSaid || type === "system") && ("uuid" in line || "parentUuid" in line || "sessionId" in line);
}

/**
 * The branch of a Claude Code session that was worked on last. One answer stands there as a line for each of its blocks, and
 * results of parallel calls hang beside the branch, not in it.
 */
export function readClaudeCode(lines: readonly JsonObject[], healing: Healing): ForeignSession {
  const branch = claudeBranch(lines, healing);
  const unknown = lines.filter(
    (line) => line["type"] !== "user" && line["type"] !== "assistant" && !bookkeeping.includes(textAt(line, "type")),
  );
  healing.note("unknown entries skipped", unknown.length);
  const entries = joined(branch, healing);
  const id = lines.map((line) => textAt(line, "sessionId")).findLast((found) => found !== "");
  return { agent: "Claude Code", id: id ?? "", entries };
}

/** Lines of one answer that follow one another become one entry; all of them carry the usage of the whole. */
function joined(branch: readonly JsonObject[], healing: Healing): readonly ForeignEntry[] {
  const entries: ForeignEntry[] = [];
  const counted = new Set<string>();
  let lastId = "";
  for (const line of branch) {
    const id = line["type"] === "assistant" ? textAt(objectAt(line, "message"), "id") : "";
    for (const entry of entriesOf(line, counted, healing)) {
      const last = entries.at(-1);
      if (entry.type === "answer" && last?.type === "answer" && id !== "" && id === lastId)
        entries[entries.length - 1] = { ...last, at: entry.at, blocks: [...last.blocks, ...entry.blocks] };
      else entries.push(entry);
      lastId = id;
    }
  }
  return entries;
}

function entriesOf(line: JsonObject, counted: Set<string>, healing: Healing): readonly ForeignEntry[] {
  const message = objectAt(line, "message");
  const at = timeAt(line, "timestamp");
  const blocks = blocksOf(message?.["content"]);
  if (line["type"] === "assistant") return answer({ line, message, blocks, at }, counted, healing);
  if (line["type"] !== "user") return [];
  if (line["isCompactSummary"] === true) {
    const text = blocks.map((block) => textAt(block, "text")).join("\n");
    return [{ type: "summary", text, kept: 0, at }];
  }
  if (line["isMeta"] === true) {
    healing.note("notes of the other agent left out");
    return [];
  }
  return said(blocks, at, healing);
}

function said(blocks: readonly JsonObject[], at: number, healing: Healing): readonly ForeignEntry[] {
  const results = blocks.flatMap((block): readonly ForeignEntry[] => {
    if (block["type"] !== "tool_result") return [];
    const outcome = block["is_error"] === true ? "failed" : "done";
    const content = resultContent(block["content"], healing);
    return [{ type: "result", callId: textAt(block, "tool_use_id"), ...content, outcome, at }];
  });
  const content = blocks.flatMap((block) => userContent(block, healing));
  return content.length === 0 ? results : [...results, { type: "user", content, at }];
}

function userContent(block: JsonObject, healing: Healing): readonly UserContent[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: textAt(block, "text") }];
    case "image":
    case "document": {
      const source = objectAt(block, "source");
      return inlineMedia(textAt(source, "media_type"), textAt(source, "data"), healing);
    }
    case "tool_result":
      return [];
    default:
      healing.note("unknown entries skipped");
      return [];
  }
}

interface AnswerLine {
  readonly line: JsonObject;
  readonly message: JsonObject | undefined;
  readonly blocks: readonly JsonObject[];
  readonly at: number;
}

function answer(
  { line, message, blocks, at }: AnswerLine,
  counted: Set<string>,
  healing: Healing,
): readonly ForeignEntry[] {
  const model = textAt(message, "model");
  // What went wrong with a request stands there as an answer.
  if (line["isApiErrorMessage"] === true || model === "<synthetic>") {
    healing.note("notes of the other agent left out");
    return [];
  }
  const id = textAt(message, "id");
  const isFirst = id === "" || !counted.has(id);
  counted.add(id);
  const usage = isFirst ? usageOf(objectAt(message, "usage")) : noUsage;
  const read = blocks.flatMap((block) => answerBlock(block, healing));
  return [{ type: "answer", blocks: read, model, usage, at }];
}

function answerBlock(block: JsonObject, healing: Healing): readonly ForeignBlock[] {
  switch (block["type"]) {
    case "text":
      return [{ type: "text", text: textAt(block, "text") }];
    case "thinking":
      return [{ type: "thinking", text: textAt(block, "thinking") }];
    case "redacted_thinking":
      return [];
    case "tool_use": {
      const args = argumentsOf(block["input"]);
      return [{ type: "call", callId: textAt(block, "id"), name: textAt(block, "name"), arguments: args }];
    }
    default:
      healing.note("unknown entries skipped");
      return [];
  }
}

function usageOf(usage: JsonObject | undefined): Usage {
  const cachedInputTokens = countAt(usage, "cache_read_input_tokens");
  const cacheWriteTokens = countAt(usage, "cache_creation_input_tokens");
  return {
    inputTokens: countAt(usage, "input_tokens") + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: countAt(usage, "output_tokens"),
    reasoningTokens: 0,
  };
}
