import type { ModelSettings } from "@capstan/protocol";
import { flagOption, textOption } from "../shared/request/model-option.ts";

/** `auto`: only where it cannot be meant otherwise. */
type Switch = "off" | "on" | "auto";

/** Which ids of calls a server takes. `numbered`: those that count the calls (`functions.NAME:0`), however long. */
export type CallIds = "usual" | "numbered" | "mistral";

/** How one server departs from OpenAI's Chat Completions, or OpenAI from the others. */
export interface ChatDialect {
  readonly systemRole: string;
  readonly maxTokensField: string;
  readonly streamUsage: boolean;
  readonly strictTools: boolean;
  /** `undefined`: the server's default. */
  readonly toolChoice: string | undefined;
  readonly parallelToolCalls: boolean | undefined;
  readonly callIds: CallIds;
  readonly echo: ReasoningEcho;
  readonly thinkTags: Switch;
  readonly textToolCalls: Switch;
}

/** What of an answer's thinking goes back to the server it came from. */
export interface ReasoningEcho {
  /** The field in which the server wants its own thinking back; `undefined`: it does not. */
  readonly field: string | undefined;
  /** `tool-calls`: with each answer that calls tools, even where there is no thinking to send, and with no other. */
  readonly when: "always" | "tool-calls";
  /** Whether `reasoning_details` (OpenRouter, MiniMax) go back as they came. */
  readonly details: boolean;
}

/** The dialect among a model's options; whatever is absent is as most servers have it. */
export function readChatDialect(model: ModelSettings): ChatDialect {
  const parallel = model.options["parallel_tool_calls"];
  return {
    systemRole: textOption(model, "system_role") ?? "system",
    maxTokensField: textOption(model, "max_tokens_field") ?? usualMaxTokensField(model),
    streamUsage: flagOption(model, "stream_usage", true),
    strictTools: flagOption(model, "strict_tools", false),
    toolChoice: textOption(model, "tool_choice"),
    parallelToolCalls: typeof parallel === "boolean" ? parallel : undefined,
    callIds: readCallIds(model),
    echo: readReasoningEcho(model),
    thinkTags: settingOf(textOption(model, "think_tags")),
    textToolCalls: settingOf(textOption(model, "text_tool_calls")),
  };
}

function readReasoningEcho(model: ModelSettings): ReasoningEcho {
  const field = textOption(model, "echo_reasoning_field");
  const when = textOption(model, "echo_reasoning") ?? (field === undefined ? "off" : "always");
  return {
    field: when === "off" ? undefined : (field ?? "reasoning_content"),
    when: when === "tool-calls" ? "tool-calls" : "always",
    details: flagOption(model, "echo_reasoning_details", true),
  };
}

/** OpenAI's reasoning models refuse `max_tokens`; most other servers know nothing else. */
function usualMaxTokensField(model: ModelSettings): string {
  return model.provider.startsWith("openai") ? "max_completion_tokens" : "max_tokens";
}

function readCallIds(model: ModelSettings): CallIds {
  const word = textOption(model, "call_ids");
  if (word === "mistral" || word === "numbered") return word;
  return /kimi/i.test(model.id) || /kimi|moonshot/i.test(model.provider) ? "numbered" : "usual";
}

function settingOf(word: string | undefined): Switch {
  return word === "on" || word === "auto" ? word : "off";
}
