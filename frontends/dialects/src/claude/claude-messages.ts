import { randomUUID } from "node:crypto";
import {
  type AssistantBlock,
  type FinishReason,
  type JournalRecord,
  type JsonObject,
  noUsage,
  type SessionEvent,
  type ToolOutcome,
  type Usage,
  type UserContent,
} from "@capstan/protocol";
import { claudeCall, claudeUsage, stopReason } from "./claude-words.ts";
import { StreamEvents } from "./stream-events.ts";

export interface MessagesOptions {
  readonly sessionId: string;
  /** Pieces of answers are shown as they come. */
  readonly partial: boolean;
  /** The line that says what the session is like now. */
  init(): JsonObject;
}

type Of<Type extends JournalRecord["type"]> = Extract<JournalRecord, { readonly type: Type }>;

/** Projects a session's records to Claude's messages. */
export class ClaudeMessages {
  readonly #options: MessagesOptions;
  readonly #stream = new StreamEvents();
  #model = "";

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  take({ record }: SessionEvent, isOwn: boolean): readonly JsonObject[] {
    switch (record.type) {
      case "turn-started":
        return isOwn ? [this.#options.init()] : this.#othersWords(record.content);
      case "turn-steered":
        return this.#othersWords(record.content);
      case "step-started":
        this.#model = record.model;
        this.#stream.step(record.stepId, record.model);
        return [];
      case "text-delta":
      case "thinking-delta":
      case "tool-arguments-delta":
        return this.#options.partial ? this.#events(this.#stream.delta(record)) : [];
      case "step-completed":
        return this.#answer(record);
      case "step-abandoned":
        return this.#abandoned(record);
      case "step-retrying":
        return [...this.#ended(null, noUsage), this.#line(retryOf(record))];
      case "tool-finished":
        return [this.#result(record)];
      case "compaction-completed":
        return [this.#line(compactionOf(record))];
      default:
        return [];
    }
  }

  #line(line: JsonObject): JsonObject {
    return { ...line, uuid: randomUUID(), session_id: this.#options.sessionId };
  }

  #events(events: readonly JsonObject[]): readonly JsonObject[] {
    return events.map((event) => this.#line({ type: "stream_event", event, parent_tool_use_id: null }));
  }

  /** The answer that is shown in pieces comes to its end, whatever it is. */
  #ended(reason: FinishReason | null, usage: Usage): readonly JsonObject[] {
    return this.#events(this.#stream.end(reason, usage));
  }

  #answer({ stepId, message, reason, usage, responseId }: Of<"step-completed">): readonly JsonObject[] {
    const content = message.content.flatMap(blockOf);
    const ended = this.#ended(reason, usage);
    if (content.length === 0) return ended;
    return [...ended, this.#assistant({ id: responseId ?? stepId, content, reason, usage })];
  }

  #abandoned({ stepId, text }: Of<"step-abandoned">): readonly JsonObject[] {
    const ended = this.#ended(null, noUsage);
    if (text === "") return ended;
    const content = [{ type: "text", text }];
    return [...ended, { ...this.#assistant({ id: stepId, content, reason: null, usage: noUsage }), aborted: true }];
  }

  #assistant(answer: {
    readonly id: string;
    readonly content: readonly JsonObject[];
    readonly reason: FinishReason | null;
    readonly usage: Usage;
  }): JsonObject {
    const { id, content, reason, usage } = answer;
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: this.#model,
      content,
      stop_reason: stopReason(reason),
      stop_sequence: null,
      usage: claudeUsage(usage),
    };
    return this.#line({ type: "assistant", message, parent_tool_use_id: null });
  }

  #result({ callId, outcome }: Of<"tool-finished">): JsonObject {
    const isError = outcome.type !== "done" && outcome.type !== "proposed";
    const block = {
      type: "tool_result",
      tool_use_id: callId,
      content: outcome.content,
      ...(isError ? { is_error: true } : {}),
    };
    const message = { role: "user", content: [block] };
    return this.#line({ type: "user", message, parent_tool_use_id: null, tool_use_result: resultOf(outcome) });
  }

  /** What somebody else says in this session. */
  #othersWords(content: readonly UserContent[]): readonly JsonObject[] {
    const message = { role: "user", content: content.map(shownWords) };
    return [this.#line({ type: "user", message, parent_tool_use_id: null, isReplay: true })];
  }
}

function blockOf(block: AssistantBlock): readonly JsonObject[] {
  switch (block.type) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return block.text === "" ? [] : [{ type: "thinking", thinking: block.text, signature: block.signature ?? "" }];
    case "tool-call": {
      const { name, input } = claudeCall(block.name, block.arguments.type === "json" ? block.arguments.value : {});
      return [{ type: "tool_use", id: block.callId, name, input }];
    }
    // What a vendor did by itself is in no words of Claude's.
    case "provider-item":
      return [];
  }
}

function resultOf(outcome: ToolOutcome): JsonObject {
  const details = "details" in outcome && outcome.details !== undefined ? { details: outcome.details } : {};
  return { outcome: outcome.type, ...details };
}

function shownWords(part: UserContent): JsonObject {
  if (part.type === "text") return { type: "text", text: part.text };
  const source = { type: "base64", media_type: part.mediaType, data: part.data };
  return { type: part.mediaType.startsWith("image/") ? "image" : "document", source };
}

function retryOf({ attempt, failure, delayMs }: Of<"step-retrying">): JsonObject {
  return {
    type: "system",
    subtype: "api_retry",
    attempt,
    max_retries: attempt,
    retry_delay_ms: delayMs,
    error_status: failure.status ?? null,
    error: failure.code === "provider.auth" ? "authentication_failed" : "unknown",
  };
}

function compactionOf({ tokens }: Of<"compaction-completed">): JsonObject {
  const compacted = { trigger: "auto", pre_tokens: tokens?.before ?? 0 };
  const metadata = tokens === undefined ? compacted : { ...compacted, post_tokens: tokens.after };
  return { type: "system", subtype: "compact_boundary", compact_metadata: metadata };
}
