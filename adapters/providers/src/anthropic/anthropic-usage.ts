import { type JsonObject, noUsage, type Usage } from "@capstan/protocol";
import { countOf, objectOf } from "../shared/json-fields.ts";

/**
 * Usage as of one more report. Counts are cumulative; what a report leaves out stays as it was.
 * The wire's `input_tokens` leaves cached parts out; ours counts everything the model read.
 */
export class AnthropicUsage {
  private input = 0;
  private cacheRead = 0;
  private cacheWrite = 0;
  private output = 0;
  private thinking = 0;
  private reported = false;

  add(usage: JsonObject | undefined): void {
    if (usage === undefined) return;
    this.reported = true;
    this.input = countOf(usage["input_tokens"]) ?? this.input;
    this.cacheRead = countOf(usage["cache_read_input_tokens"]) ?? this.cacheRead;
    this.cacheWrite = countOf(usage["cache_creation_input_tokens"]) ?? this.cacheWrite;
    this.output = countOf(usage["output_tokens"]) ?? this.output;
    this.thinking = countOf(objectOf(usage["output_tokens_details"])?.["thinking_tokens"]) ?? this.thinking;
  }

  total(): Usage {
    if (!this.reported) return noUsage;
    return {
      inputTokens: this.input + this.cacheRead + this.cacheWrite,
      cachedInputTokens: this.cacheRead,
      cacheWriteTokens: this.cacheWrite,
      outputTokens: this.output,
      reasoningTokens: Math.min(this.thinking, this.output),
    };
  }
}
