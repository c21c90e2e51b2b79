import { readNumberedCallId } from "@capstan/protocol";
import { z } from "zod";
import type { ChatRequest } from "./chat-request.ts";

const text = z.string("expected a string");
const flag = z.boolean("expected a boolean");
const wholeNumber = z.int("expected an integer");
const object = z.record(z.string(), z.unknown(), "expected an object");
const toolName = text.regex(
  /^[a-zA-Z0-9_-]{1,64}$/,
  "expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'",
);
// The vendor allows 40 characters here (64 on its newer wire). Kimi wants its own form back, however long.
const callId = text
  .refine(
    (id) => isNumbered(id) || /^[a-zA-Z0-9_-]+$/.test(id),
    "expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'",
  )
  .refine((id) => isNumbered(id) || id.length <= 40, "string too long. Expected a string with maximum length 40");
const texts = z.array(z.strictObject({ type: z.literal("text"), text })).min(1, "expected at least one part");

const imageUrl = text.regex(
  /^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$)/,
  "expected an https URL or a base64 data URL of a png, jpeg, gif or webp image",
);
const userPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({ url: imageUrl, detail: z.enum(["auto", "low", "high", "original"]).optional() }),
  }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: text, format: z.enum(["wav", "mp3"]) }),
  }),
  z.strictObject({
    type: z.literal("file"),
    file: z.strictObject({ file_data: text.optional(), file_id: text.optional(), filename: text.optional() }),
  }),
]);

const toolCall = z.strictObject({
  id: callId,
  type: z.literal("function"),
  function: z.strictObject({ name: toolName, arguments: text }),
});

const message = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("developer"), content: z.union([text, texts]), name: text.optional() }),
  z.strictObject({ role: z.literal("system"), content: z.union([text, texts]), name: text.optional() }),
  z.strictObject({
    role: z.literal("user"),
    content: z.union([text, z.array(userPart).min(1, "expected at least one part")]),
    name: text.optional(),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([text, texts]).nullable().optional(),
    tool_calls: z.array(toolCall).min(1, "[] is too short: expected at least one call").optional(),
    refusal: text.nullable().optional(),
    name: text.optional(),
    // Not OpenAI's: the compatible servers that send it ask for it back while tool calls are answered.
    reasoning_content: text.nullable().optional(),
    reasoning: text.nullable().optional(),
  }),
  z.strictObject({ role: z.literal("tool"), content: z.union([text, texts]), tool_call_id: callId }),
]);

const tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: toolName,
    description: text.optional(),
    parameters: z
      .looseObject({ type: z.literal("object", "schema must be of type 'object'") }, "expected an object")
      .optional(),
    strict: flag.nullable().optional(),
  }),
});

const requestSchema = z.strictObject({
  model: text.min(1, "you must provide a model parameter"),
  messages: z.array(message, "expected an array").min(1, "[] is too short: expected at least one message"),
  tools: z.array(tool).min(1, "[] is too short: expected at least one tool").optional(),
  tool_choice: z
    .union([
      z.enum(["none", "auto", "required"]),
      z.strictObject({ type: z.literal("function"), function: z.strictObject({ name: text }) }),
    ])
    .optional(),
  parallel_tool_calls: flag.optional(),
  stream: flag.nullable().optional(),
  stream_options: z
    .strictObject({ include_usage: flag.optional(), include_obfuscation: flag.optional() })
    .nullable()
    .optional(),
  max_tokens: wholeNumber.min(1, "expected a value of at least 1").nullable().optional(),
  max_completion_tokens: wholeNumber.min(1, "expected a value of at least 1").nullable().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  frequency_penalty: z.number().min(-2).max(2).nullable().optional(),
  presence_penalty: z.number().min(-2).max(2).nullable().optional(),
  n: z.literal(1, "this server answers once: expected 1").nullable().optional(),
  seed: wholeNumber.nullable().optional(),
  stop: z
    .union([text, z.array(text).max(4)])
    .nullable()
    .optional(),
  user: text.optional(),
  safety_identifier: text.nullable().optional(),
  metadata: z.record(z.string(), text).nullable().optional(),
  store: flag.nullable().optional(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).nullable().optional(),
  prompt_cache_key: text.nullable().optional(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullable().optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullable().optional(),
  verbosity: z.enum(["low", "medium", "high"]).nullable().optional(),
  response_format: object.optional(),
  logit_bias: z.record(z.string(), z.number()).nullable().optional(),
  logprobs: flag.nullable().optional(),
  top_logprobs: wholeNumber.min(0).max(20).nullable().optional(),
  modalities: z.array(z.literal("text")).nullable().optional(),
});

/** The fields of a Chat Completions request and their types; meaning is checked after. */
export const chatRequestSchema: z.ZodType<ChatRequest> = requestSchema;

function isNumbered(id: string): boolean {
  return readNumberedCallId(id) !== undefined;
}
