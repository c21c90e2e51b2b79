import { z } from "zod";
import { type AnthropicRequest, serverResultTypes } from "./anthropic-request.ts";

// Messages in the vendor's meaning: they become part of the error the client reads.
const text = z.string("Input should be a valid string");
const flag = z.boolean("Input should be a valid boolean");
const wholeNumber = z.int("Input should be a valid integer");
const object = z.record(z.string(), z.unknown(), "Input should be a valid dictionary");
const callId = text
  .regex(/^[a-zA-Z0-9_-]+$/, "String should match pattern '^[a-zA-Z0-9_-]+$'")
  .max(64, "String should have at most 64 characters");
const toolName = text.regex(/^[a-zA-Z0-9_-]{1,128}$/, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");

const cacheControl = z
  .strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() })
  .nullable()
  .optional();
// The vendor names the file of a citation that came from one, and does not take that name back.
const citation = z.looseObject({ file_id: z.undefined("Extra inputs are not permitted").optional() });
const textBlock = z.strictObject({
  type: z.literal("text"),
  text,
  cache_control: cacheControl,
  citations: z.array(citation).nullable().optional(),
});
const base64 = text.regex(/^[A-Za-z0-9+/]+={0,2}$/, "Input should be non-empty base64");
const url = text.regex(/^https:\/\//, "Only HTTPS URLs are supported");
const imageBlock = z.strictObject({
  type: z.literal("image"),
  source: z.discriminatedUnion("type", [
    z.strictObject({
      type: z.literal("base64"),
      media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
      data: base64,
    }),
    z.strictObject({ type: z.literal("url"), url }),
    z.strictObject({ type: z.literal("file"), file_id: text }),
  ]),
  cache_control: cacheControl,
});
const documentBlock = z.strictObject({
  type: z.literal("document"),
  source: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("base64"), media_type: z.literal("application/pdf"), data: base64 }),
    z.strictObject({ type: z.literal("text"), media_type: z.literal("text/plain"), data: text }),
    z.strictObject({ type: z.literal("url"), url }),
    z.strictObject({ type: z.literal("file"), file_id: text }),
  ]),
  cache_control: cacheControl,
  citations: z.strictObject({ enabled: flag.optional() }).nullable().optional(),
  title: text.nullable().optional(),
  context: text.nullable().optional(),
});
const toolResultBlock = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: callId,
  content: z.union([text, z.array(z.discriminatedUnion("type", [textBlock, imageBlock, documentBlock]))]).optional(),
  is_error: flag.optional(),
  cache_control: cacheControl,
});
const thinkingBlock = z.strictObject({ type: z.literal("thinking"), thinking: text, signature: text });
const redactedBlock = z.strictObject({
  type: z.literal("redacted_thinking"),
  data: text.min(1, "String should have at least 1 character"),
});
const toolUseBlock = z.strictObject({
  type: z.literal("tool_use"),
  id: callId,
  name: toolName,
  input: object,
  cache_control: cacheControl,
  caller: object.optional(),
  toolset_name: text.nullable().optional(),
});

// The vendor's own tools: made by the vendor, echoed as they came.
const serverUseBlock = z.looseObject({ type: z.literal("server_tool_use"), id: callId, name: text, input: object });
const serverResultBlock = z.looseObject({ type: z.enum(serverResultTypes), tool_use_id: callId });
const uploadBlock = z.strictObject({ type: z.literal("container_upload"), file_id: text, cache_control: cacheControl });

const content = z.union([
  text,
  z.array(
    z.discriminatedUnion("type", [
      textBlock,
      imageBlock,
      documentBlock,
      toolResultBlock,
      thinkingBlock,
      redactedBlock,
      toolUseBlock,
      serverUseBlock,
      serverResultBlock,
      uploadBlock,
    ]),
  ),
]);

const tool = z.strictObject({
  type: z.literal("custom").nullable().optional(),
  name: toolName,
  description: text.optional(),
  input_schema: z.looseObject(
    {
      type: z.literal("object", "Input should be 'object'"),
      properties: object.nullable().optional(),
      required: z.array(text).nullable().optional(),
    },
    "Input should be a valid dictionary",
  ),
  cache_control: cacheControl,
  strict: flag.optional(),
  eager_input_streaming: flag.nullable().optional(),
  input_examples: z.array(object).optional(),
});

const parallel = { disable_parallel_tool_use: flag.optional() };
const display = z.enum(["summarized", "omitted", "updates"]).nullable().optional();
const block_binding = z
  .strictObject({ prefix_mismatch_behavior: z.enum(["error", "drop_block"]).nullable().optional() })
  .nullable()
  .optional();

const requestSchema = z.strictObject({
  model: text.min(1, "String should have at least 1 character"),
  max_tokens: wholeNumber.min(1, "Input should be greater than or equal to 1"),
  messages: z
    .array(z.strictObject({ role: z.enum(["user", "assistant"]), content }), "Input should be a valid list")
    .min(1, "at least one message is required"),
  system: z.union([text, z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("auto"), ...parallel }),
      z.strictObject({ type: z.literal("any"), ...parallel }),
      z.strictObject({ type: z.literal("tool"), name: text, ...parallel }),
      z.strictObject({ type: z.literal("none") }),
    ])
    .optional(),
  thinking: z
    .discriminatedUnion("type", [
      z.strictObject({
        type: z.literal("enabled"),
        budget_tokens: wholeNumber.min(1024, "Input should be greater than or equal to 1024"),
        display,
        block_binding,
      }),
      z.strictObject({ type: z.literal("adaptive"), display, block_binding }),
      z.strictObject({ type: z.literal("between_tools") }),
      z.strictObject({ type: z.literal("disabled") }),
    ])
    .optional(),
  stream: flag.optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: wholeNumber.min(0).optional(),
  stop_sequences: z.array(text.regex(/\S/, "each stop sequence must contain non-whitespace")).optional(),
  metadata: z.strictObject({ user_id: text.max(256).nullable().optional() }).optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  cache_control: cacheControl,
  container: z.union([text, object]).nullable().optional(),
  context_management: object.nullable().optional(),
  inference_geo: text.nullable().optional(),
  speed: z.enum(["standard", "fast"]).nullable().optional(),
  output_config: z
    .strictObject({
      effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullable().optional(),
      format: object.nullable().optional(),
    })
    .optional(),
});

/** The fields of a Messages request and their types; meaning is checked after. */
export const anthropicRequestSchema: z.ZodType<AnthropicRequest> = requestSchema;
