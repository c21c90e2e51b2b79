import type { VendorError } from "./http/error-body.ts";

/** Codes and types by which vendors say that a request is longer than the model's window. */
const codes: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
  "model_max_prompt_tokens_exceeded",
  "prompt_too_long",
  "request_too_large",
]);

/**
 * The words of vendors that give no code of their own. Each row names the length of the input: an answer that is asked to be too long
 * (`max_tokens`) or a limit of tokens per minute is another error, and no shorter conversation helps against it.
 */
const words: readonly RegExp[] = [
  // Anthropic, Fireworks, vLLM: "prompt is too long: 213462 tokens > 200000 maximum"
  /prompt is too long/i,
  // Anthropic: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
  /exceeds? (the )?context (limit|window|length)/i,
  // OpenAI: "Your input exceeds the context window of this model."
  /input exceeds the context window/i,
  // OpenAI, DeepSeek, OpenRouter, Mistral, vLLM: "This model's maximum context length is 8192 tokens."
  /maximum context length/i,
  // Google: "The input token count (1234567) exceeds the maximum number of tokens allowed (1048576)."
  /input token count.{0,40}exceeds the maximum/i,
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
  /maximum prompt length/i,
  // GitHub Copilot: "prompt token count of 130000 exceeds the limit of 128000"
  /prompt token count.{0,40}exceeds/i,
  // Bedrock: "Input is too long for requested model."
  /input is too long/i,
  // Groq, Cerebras: "Please reduce the length of the messages or completion."
  /reduce the length of (the|your) (messages|prompt|input)/i,
  // Together: "`inputs` tokens + `max_new_tokens` must be <= 8193"; Hugging Face: "`inputs` must have less than 4096 tokens"
  /`?inputs`? (tokens \+|must have less than)/i,
  // llama.cpp: "the request exceeds the available context size"
  /exceeds the available context size/i,
  // LM Studio: "Trying to keep the first 9000 tokens when context the overflows."
  /context (the )?overflows|greater than the context length/i,
  // Moonshot: "Your request exceeded model token limit: 131072"
  /exceeded model token limit/i,
  // MiniMax: "context window exceeds limit"
  /context window exceeds/i,
  // Zhipu: "Prompt exceeds max length"
  /prompt exceeds max/i,
  // Qwen: "Range of input length should be [1, 30720]"
  /range of input length should be/i,
  // Cohere: "too many tokens: total number of tokens in the prompt cannot exceed 4081"
  /tokens in the prompt cannot exceed/i,
];

/**
 * Whether a vendor refused a request because the conversation is longer than the model's window: a shorter one may pass, the same one never.
 * @param status  of the HTTP answer; absent for an error inside an answer that had begun
 */
export function isContextOverflow({ code, type, message }: VendorError, status?: number): boolean {
  if (codes.has(code ?? "") || codes.has(type ?? "")) return true;
  // A limit of tokens per minute speaks of a request that is too large, as well.
  if (status === 429 || /per minute|\bTPM\b|rate.?limit/i.test(`${message} ${code ?? ""}`)) return false;
  // A vendor's server and a proxy before it say 413 alike.
  if (status === 413) return true;
  if (status !== undefined && status !== 400 && status !== 422 && status < 500) return false;
  return words.some((pattern) => pattern.test(message));
}
