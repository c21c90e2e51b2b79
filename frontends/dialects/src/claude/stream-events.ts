import type { FinishReason, JournalRecord, JsonObject, Usage } from "@capstan/protocol";
import { claudeToolName, claudeUsage, stopReason } from "./claude-words.ts";

type Delta = Extract<JournalRecord, { type: "text-delta" | "thinking-delta" | "tool-arguments-delta" }>;

/** A block that is being written. `key`: what tells it from the others of its message. */
interface OpenBlock {
  readonly key: string;
  readonly index: number;
}

/** The pieces of one answer as the events of Claude's streaming API. */
export class StreamEvents {
  #message: { readonly id: string; readonly model: string } | undefined;
  #hasBegun = false;
  #next = 0;
  #block: OpenBlock | undefined;

  /** The answer of a step begins; nothing is shown before its first piece. */
  step(id: string, model: string): void {
    this.#message = { id, model };
    this.#hasBegun = false;
    this.#next = 0;
    this.#block = undefined;
  }

  delta(record: Delta): readonly JsonObject[] {
    const begun = this.#begin();
    switch (record.type) {
      case "text-delta":
        return [
          ...begun,
          ...this.#open("text", { type: "text", text: "" }),
          this.#piece({ type: "text_delta", text: record.delta }),
        ];
      case "thinking-delta":
        return [
          ...begun,
          ...this.#open("thinking", { type: "thinking", thinking: "", signature: "" }),
          this.#piece({ type: "thinking_delta", thinking: record.delta }),
        ];
      case "tool-arguments-delta": {
        const { stepId, index, name, delta } = record;
        const block = { type: "tool_use", id: `${stepId}.${index}`, name: claudeToolName(name), input: {} };
        return [
          ...begun,
          ...this.#open(`call ${index}`, block),
          this.#piece({ type: "input_json_delta", partial_json: delta }),
        ];
      }
    }
  }

  /** The answer is whole, or nothing more comes of it. */
  end(reason: FinishReason | null, usage: Usage): readonly JsonObject[] {
    if (!this.#hasBegun) return [];
    const closed = this.#close();
    this.#hasBegun = false;
    return [
      ...closed,
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(reason), stop_sequence: null },
        usage: claudeUsage(usage),
      },
      { type: "message_stop" },
    ];
  }

  #begin(): readonly JsonObject[] {
    if (this.#hasBegun || this.#message === undefined) return [];
    this.#hasBegun = true;
    const { id, model } = this.#message;
    const usage = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
    const message = { id, type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
    return [{ type: "message_start", message: { ...message, stop_sequence: null } }];
  }

  #open(key: string, content: JsonObject): readonly JsonObject[] {
    if (this.#block?.key === key) return [];
    const closed = this.#close();
    this.#block = { key, index: this.#next };
    this.#next += 1;
    return [...closed, { type: "content_block_start", index: this.#block.index, content_block: content }];
  }

  #piece(delta: JsonObject): JsonObject {
    return { type: "content_block_delta", index: this.#block?.index ?? 0, delta };
  }

  #close(): readonly JsonObject[] {
    const block = this.#block;
    this.#block = undefined;
    return block === undefined ? [] : [{ type: "content_block_stop", index: block.index }];
  }
}
