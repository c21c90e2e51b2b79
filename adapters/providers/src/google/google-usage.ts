import { type JsonObject, noUsage, type Usage } from "@capstan/protocol";
import { countOf } from "../shared/json-fields.ts";

/**
 * Usage as of one more report. Counts are cumulative; what a report leaves out stays as it was.
 * The wire counts thoughts beside the visible answer, and what server-side tools brought beside the prompt; ours are sums.
 */
export class GoogleUsage {
  private prompt = 0;
  private toolPrompt = 0;
  private cached = 0;
  private visible = 0;
  private thoughts = 0;
  private reported = false;

  add(usage: JsonObject | undefined): void {
    if (usage === undefined) return;
    this.reported = true;
    this.prompt = countOf(usage["promptTokenCount"]) ?? this.prompt;
    this.toolPrompt = countOf(usage["toolUsePromptTokenCount"]) ?? this.toolPrompt;
    this.cached = countOf(usage["cachedContentTokenCount"]) ?? this.cached;
    this.visible = countOf(usage["candidatesTokenCount"]) ?? this.visible;
    this.thoughts = countOf(usage["thoughtsTokenCount"]) ?? this.thoughts;
  }

  total(): Usage {
    if (!this.reported) return noUsage;
    const inputTokens = this.prompt + this.toolPrompt;
    return {
      inputTokens,
      cachedInputTokens: Math.min(this.cached, inputTokens),
      cacheWriteTokens: 0,
      outputTokens: this.visible + this.thoughts,
      reasoningTokens: this.thoughts,
    };
  }
}
