import { expect, test } from "vitest";
import { isContextOverflow } from "../../src/shared/context-overflow.ts";
import { readErrorBody } from "../../src/shared/http/error-body.ts";

const openai = (message: string, code: string | null = null, type = "invalid_request_error"): string =>
  JSON.stringify({ error: { message, type, param: null, code } });

/** Bodies as vendors document and send them. */
const tooLong: readonly (readonly [vendor: string, status: number, body: string])[] = [
  [
    "Anthropic",
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}',
  ],
  [
    "Anthropic, with the answer",
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"}}',
  ],
  [
    "Anthropic, by bytes",
    413,
    '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}',
  ],
  [
    "OpenAI",
    400,
    openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130021 tokens. Please reduce the length of the messages.",
      "context_length_exceeded",
    ),
  ],
  [
    "OpenAI Responses",
    400,
    openai(
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      "context_length_exceeded",
    ),
  ],
  [
    "Google",
    400,
    '{"error":{"code":400,"message":"The input token count (1123456) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}',
  ],
  [
    "OpenRouter",
    400,
    '{"error":{"message":"This endpoint\'s maximum context length is 131072 tokens. However, you requested about 140000 tokens (136000 of text input, 4000 in the output).","code":400}}',
  ],
  [
    "xAI",
    400,
    '{"code":"Client specified an invalid argument","error":"This model\'s maximum prompt length is 131072 but the request contains 537812 tokens."}',
  ],
  [
    "DeepSeek",
    400,
    openai(
      "This model's maximum context length is 65536 tokens. However, you requested 70112 tokens (66016 in the messages, 4096 in the completion).",
    ),
  ],
  ["Groq", 400, openai("Please reduce the length of the messages or completion.", "context_length_exceeded")],
  [
    "Mistral",
    400,
    '{"object":"error","message":"Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","code":"3051"}',
  ],
  ["Moonshot", 400, openai("Invalid request: Your request exceeded model token limit: 131072")],
  [
    "llama.cpp",
    400,
    '{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error"}}',
  ],
  [
    "vLLM",
    400,
    '{"object":"error","message":"Input length (33432) exceeds model\'s maximum context length (32768).","type":"BadRequestError","code":400}',
  ],
  [
    "Together",
    422,
    openai(
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`",
    ),
  ],
  ["Bedrock", 400, '{"message":"Input is too long for requested model."}'],
  [
    "Copilot",
    400,
    openai("prompt token count of 130000 exceeds the limit of 128000", "model_max_prompt_tokens_exceeded"),
  ],
  ["Qwen", 400, openai("Range of input length should be [1, 30720]", "invalid_parameter_error")],
  ["a proxy", 413, "<html><head><title>413 Request Entity Too Large</title></head></html>"],
];

test.each(tooLong)("%s says with %i that the conversation is too long", (_vendor, status, body) => {
  expect(isContextOverflow(readErrorBody(body), status)).toBe(true);
});

test.each([
  [
    "a limit of tokens per minute",
    429,
    openai(
      "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 40000.",
      "rate_limit_exceeded",
      "tokens",
    ),
  ],
  [
    "Groq's limit of tokens per minute",
    413,
    openai(
      "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000",
      "rate_limit_exceeded",
      "tokens",
    ),
  ],
  [
    "an answer that is asked to be too long",
    400,
    openai(
      "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
    ),
  ],
  [
    "Anthropic's longest answer",
    400,
    '{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for this model"}}',
  ],
  [
    "an id that is too long",
    400,
    openai(
      "Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 45 instead.",
      "string_above_max_length",
    ),
  ],
  ["a wrong key", 401, openai("Incorrect API key provided", "invalid_api_key")],
  ["an overload", 529, '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'],
])("%s is another error", (_what, status, body) => {
  expect(isContextOverflow(readErrorBody(body), status)).toBe(false);
});
