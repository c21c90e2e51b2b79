import { type JsonObject, type JsonValue, type Usage, type UserContent, isJsonObject } from "@capstan/protocol";
import { argumentsOf, blocksOf, countAt, listAt, objectAt, textAt, timeAt } from "../fields.ts";
import { mediaOfUrl } from "../foreign-media.ts";
import type { ForeignBlock, ForeignEntry, ForeignSession, ForeignResult } from "../foreign-session.ts";
import type { Healing } from "../healing.ts";
import { resultContent } from "../result-content.ts";

const lineTypes: readonly string[] = ["session_meta", "response_item", "event_msg", "turn_context", "compacted"];
/** Items beside the conversation. */
const silentItems: readonly string[] = [
  "web_search_call",
  "ghost_snapshot",
  "compaction",
  "other",
  "image_generation_call",
  "tool_search_call",
  "tool_search_output",
];
/** What Codex says in the user's name. */
const notes =
  /^\s*(?:<(?:environment_context|user_instructions|INSTRUCTIONS|turn_aborted|permissions|skill|user_shell_command|subagent_notification)|# AGENTS\.md instructions)/;

/** Whether lines are those of the Codex CLI: `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`, or of its older form without payloads. */
export function isCodex(line: JsonObject): boolean {
  const type = textAt(line, "type");
  if (lineTypes.includes(type)) return objectAt(line, "payload") !== undefined;
  if ("record_type" in line) return true;
  const isItem =
    type === "function_call_output" || type === "local_shell_call" || type === "reasoning" || type === "function_call";
  return isItem || (type === "message" && Array.isArray(line["content"]) && "role" in line);
}

/** A Codex session: items that follow one another without a result between them were one answer. */
export function readCodex(lines: readonly JsonObject[], healing: Healing): ForeignSession {
  const reader = new CodexReader(healing);
  for (const line of lines) reader.line(line);
  return { agent: "Codex CLI", id: reader.id, entries: reader.finish() };
}

class CodexReader {
  id = "";
  readonly #healing: Healing;
  readonly #entries: ForeignEntry[] = [];
  /** What events repeat of the conversation: all there is in files that hold no items. */
  readonly #repeated: ForeignEntry[] = [];
  #blocks: ForeignBlock[] = [];
  #at = 0;
  #model = "";

  constructor(healing: Healing) {
    this.#healing = healing;
  }

  line(line: JsonObject): void {
    const payload = objectAt(line, "payload");
    const at = timeAt(line, "timestamp");
    switch (line["type"]) {
      case "session_meta":
        this.id ||= textAt(payload, "id");
        return;
      case "turn_context":
        this.#model = textAt(payload, "model") || this.#model;
        return;
      case "event_msg":
        return this.#event(payload, at);
      case "compacted":
        return this.#compacted(payload, at);
      case "response_item":
        return payload === undefined ? undefined : this.#item(payload, at);
      default:
        return this.#flat(line, at);
    }
  }

  finish(): readonly ForeignEntry[] {
    this.#close();
    return this.#entries.some((entry) => entry.type === "user") ? this.#entries : this.#repeated;
  }

  /** The older form: the head names id and time, items stand in the lines themselves. */
  #flat(line: JsonObject, at: number): void {
    if (textAt(line, "type") !== "") return this.#item(line, at);
    if ("record_type" in line) return;
    this.id ||= textAt(line, "id");
  }

  #item(item: JsonObject, at: number): void {
    const type = textAt(item, "type");
    switch (type) {
      case "message":
        return this.#message(item, at);
      case "reasoning":
        return this.#add({ type: "thinking", text: thinkingOf(item) }, at);
      case "function_call":
        return this.#call(item, item["arguments"], at);
      case "custom_tool_call":
        return this.#call(item, { input: textAt(item, "input") }, at);
      case "local_shell_call":
        return this.#call({ ...item, name: "local_shell" }, objectAt(item, "action"), at);
      case "function_call_output":
      case "custom_tool_call_output":
      case "local_shell_call_output":
        this.#close();
        this.#entries.push(codexResult(item, at, this.#healing));
        return;
      default:
        if (!silentItems.includes(type)) this.#healing.note("unknown entries skipped");
    }
  }

  #message(item: JsonObject, at: number): void {
    const blocks = blocksOf(item["content"]);
    if (item["role"] === "assistant") {
      for (const block of blocks) this.#add({ type: "text", text: textAt(block, "text") }, at);
      return;
    }
    const content = blocks.flatMap((block) => this.#userContent(block));
    const isNote = item["role"] !== "user" || content.every((part) => part.type === "text" && notes.test(part.text));
    if (isNote && content.length > 0) return this.#healing.note("notes of the other agent left out");
    this.#close();
    if (content.length > 0) this.#entries.push({ type: "user", content, at });
  }

  #userContent(block: JsonObject): readonly UserContent[] {
    if (block["type"] === "input_image") {
      const url = block["image_url"];
      return mediaOfUrl(typeof url === "string" ? url : textAt(objectAt(block, "image_url"), "url"), this.#healing);
    }
    return [{ type: "text", text: textAt(block, "text") }];
  }

  #call(item: JsonObject, args: JsonValue | undefined, at: number): void {
    const callId = textAt(item, "call_id") || textAt(item, "id");
    this.#add({ type: "call", callId, name: textAt(item, "name"), arguments: argumentsOf(args) }, at);
  }

  #add(block: ForeignBlock, at: number): void {
    this.#blocks.push(block);
    this.#at = at;
  }

  #close(): void {
    const blocks = this.#blocks;
    this.#blocks = [];
    if (blocks.length > 0) this.#entries.push({ type: "answer", blocks, model: this.#model, at: this.#at });
  }

  #compacted(payload: JsonObject | undefined, at: number): void {
    this.#close();
    const history = listAt(payload, "replacement_history").flatMap((item) =>
      blocksOf(objectAt({ item }, "item")?.["content"]).map((block) => textAt(block, "text")),
    );
    const text = textAt(payload, "message") || history.filter((part) => !notes.test(part)).join("\n\n");
    this.#entries.push({ type: "summary", text, kept: 0, at });
  }

  #event(payload: JsonObject | undefined, at: number): void {
    const text = textAt(payload, "message");
    if (payload?.["type"] === "user_message")
      this.#repeated.push({ type: "user", content: [{ type: "text", text }], at });
    if (payload?.["type"] === "agent_message")
      this.#repeated.push({ type: "answer", blocks: [{ type: "text", text }], model: this.#model, at });
    if (payload?.["type"] === "token_count") this.#usage(objectAt(objectAt(payload, "info"), "last_token_usage"));
    if (payload?.["type"] === "thread_rolled_back") this.#rollBack(countAt(payload, "num_turns"));
  }

  /** Counts come after the answer they belong to. */
  #usage(usage: JsonObject | undefined): void {
    this.#close();
    const last = this.#entries.findLastIndex((entry) => entry.type === "answer");
    const entry = this.#entries[last];
    if (usage === undefined || entry?.type !== "answer" || entry.usage !== undefined) return;
    this.#entries[last] = { ...entry, usage: usageOf(usage) };
  }

  #rollBack(turns: number): void {
    this.#close();
    for (let left = turns; left > 0; left -= 1) {
      const start = this.#entries.findLastIndex((entry) => entry.type === "user");
      if (start === -1) return;
      this.#healing.note("entries of abandoned branches left out", this.#entries.length - start);
      this.#entries.splice(start);
    }
  }
}

function thinkingOf(item: JsonObject): string {
  return [...blocksOf(item["summary"]), ...blocksOf(item["content"])].map((block) => textAt(block, "text")).join("\n");
}

function usageOf(usage: JsonObject): Usage {
  return {
    inputTokens: countAt(usage, "input_tokens"),
    cachedInputTokens: countAt(usage, "cached_input_tokens"),
    cacheWriteTokens: 0,
    outputTokens: countAt(usage, "output_tokens"),
    reasoningTokens: countAt(usage, "reasoning_output_tokens"),
  };
}

/** The result of a Codex call: a text, parts, or a text that is JSON with the output and its exit code. */
function codexResult(item: JsonObject, at: number, healing: Healing): ForeignResult {
  const output = objectAt(item, "output");
  const { content: text, media } = resultContent(output === undefined ? item["output"] : output["content"], healing);
  const inner = innerOutput(text);
  const exitCode =
    countAt(objectAt(inner, "metadata"), "exit_code") || Number(/^Exit code: (\d+)/.exec(text)?.[1] ?? 0);
  const failed = output?.["success"] === false || exitCode !== 0;
  const content = inner === undefined ? text : textAt(inner, "output");
  return { type: "result", callId: textAt(item, "call_id"), content, media, outcome: failed ? "failed" : "done", at };
}

function innerOutput(text: string): JsonObject | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value["output"] === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
