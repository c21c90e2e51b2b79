import type { FinishReason } from "@capstan/protocol";

/** `plain`: our word says all that the vendor's says. The words beside OpenAI's own are those of compatible servers. */
export function finishReason(
  word: string,
  hasCalls: boolean,
  refused: boolean,
): { readonly reason: FinishReason; readonly plain: boolean } {
  switch (word.toLowerCase()) {
    case "stop":
    case "eos":
    case "eos_token":
    case "end_turn":
    case "stop_sequence":
    case "[done]":
      if (hasCalls) return { reason: "tool-calls", plain: false };
      return refused ? { reason: "refusal", plain: false } : { reason: "stop", plain: word === "stop" };
    case "tool_calls":
    case "tool_use":
    case "function_call":
      return { reason: hasCalls ? "tool-calls" : "stop", plain: hasCalls && word === "tool_calls" };
    case "length":
    case "max_tokens":
    case "model_length":
      return { reason: "length", plain: word === "length" };
    case "content_filter":
      return { reason: "content-filter", plain: word === "content_filter" };
    default:
      return { reason: "other", plain: false };
  }
}
