import { z } from "zod";
import { type ResponsesRequest, serverItemTypes } from "./responses-request.ts";

const text = z.string("expected a string");
const flag = z.boolean("expected a boolean");
const wholeNumber = z.int("expected an integer");
const object = z.record(z.string(), z.unknown(), "expected an object");
const name = text.regex(/^[a-zA-Z0-9_-]{1,64}$/, "expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'");
const callId = text
  .min(1, "expected a string with minimum length 1")
  .max(64, "string too long. Expected a string with maximum length 64");
const status = z.enum(["in_progress", "completed", "incomplete"]).optional();
const phase = z.enum(["commentary", "final_answer"]).nullable().optional();

const imageUrl = text.regex(
  /^(https:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$)/,
  "expected an https URL or a base64 data URL of a png, jpeg, gif or webp image",
);
const detail = z.enum(["auto", "low", "high", "original"]).optional();
const inputPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input_text"), text }),
  z.strictObject({
    type: z.literal("input_image"),
    image_url: imageUrl.nullable().optional(),
    file_id: text.nullable().optional(),
    detail,
  }),
  z.strictObject({
    type: z.literal("input_file"),
    file_data: text
      .regex(/^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/, "expected a base64 data URL")
      .optional(),
    file_id: text.nullable().optional(),
    file_url: text.optional(),
    filename: text.optional(),
    detail,
  }),
]);
const outputPart = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("output_text"),
    text,
    annotations: z.array(object).optional(),
    logprobs: z.array(object).optional(),
  }),
  z.strictObject({ type: z.literal("refusal"), refusal: text }),
]);
const inputContent = z.union([text, z.array(inputPart).min(1, "expected at least one part")]);

const asked = { type: z.literal("message"), content: inputContent, status, phase };
const message = z.discriminatedUnion("role", [
  z.strictObject({ ...asked, role: z.literal("user") }),
  z.strictObject({ ...asked, role: z.literal("system") }),
  z.strictObject({ ...asked, role: z.literal("developer") }),
  z.strictObject({
    type: z.literal("message"),
    role: z.literal("assistant"),
    content: z.union([text, z.array(outputPart).min(1, "expected at least one part")]),
    id: text.regex(/^msg_/, "expected an ID that begins with 'msg'").optional(),
    status,
    phase,
  }),
]);

const itemId = text.nullable().optional();
const answer = { call_id: callId, output: inputContent, id: itemId, status: status.nullable() };
const item = z.discriminatedUnion(
  "type",
  [
    message,
    z.strictObject({
      type: z.literal("function_call"),
      call_id: callId,
      name,
      arguments: text,
      id: itemId,
      status,
      namespace: text.optional(),
      caller: object.nullable().optional(),
    }),
    z.strictObject({ type: z.literal("custom_tool_call"), call_id: callId, name, input: text, id: itemId, status }),
    z.strictObject({ type: z.literal("function_call_output"), ...answer }),
    z.strictObject({ type: z.literal("custom_tool_call_output"), ...answer }),
    z.strictObject({
      type: z.literal("reasoning"),
      id: text.regex(/^rs_/, "expected an ID that begins with 'rs'"),
      summary: z.array(z.strictObject({ type: z.literal("summary_text"), text }), "expected an array"),
      content: z.array(z.strictObject({ type: z.literal("reasoning_text"), text })).optional(),
      encrypted_content: text.nullable().optional(),
      status,
    }),
    z.strictObject({ type: z.literal("item_reference"), id: text }),
    // An answer says more about an image than a request may.
    z.strictObject({ type: z.literal("image_generation_call"), id: text, status: text, result: text.nullable() }),
    // The vendor's own tools: made by the vendor, echoed as they came.
    z.looseObject({ type: z.enum(serverItemTypes).exclude(["image_generation_call"]), id: text }),
  ],
  "expected one of the known item types",
);

/** Messages may leave their type out, and references, too; everything after reads it. */
const typedItem = z.preprocess((value) => {
  if (typeof value !== "object" || value === null || "type" in value) return value;
  return { ...value, type: "role" in value ? "message" : "item_reference" };
}, item);

const tool = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("function"),
    name,
    description: text.nullable().optional(),
    parameters: z
      .looseObject({ type: z.literal("object", "schema must be of type 'object'") }, "expected an object")
      .nullable(),
    strict: flag.nullable(),
  }),
  z.strictObject({
    type: z.literal("custom"),
    name,
    description: text.optional(),
    format: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("text") }),
        z.strictObject({ type: z.literal("grammar"), syntax: z.enum(["lark", "regex"]), definition: text.min(1) }),
      ])
      .optional(),
  }),
  // What runs at the vendor; this server has none of it to run.
  z.looseObject({
    type: z.enum([
      "apply_patch",
      "code_interpreter",
      "computer",
      "computer_use_preview",
      "file_search",
      "image_generation",
      "local_shell",
      "mcp",
      "namespace",
      "shell",
      "tool_search",
      "web_search",
      "web_search_preview",
    ]),
  }),
]);

const requestSchema = z.strictObject({
  model: text.min(1, "you must provide a model parameter"),
  input: z.union([text, z.array(typedItem).min(1, "[] is too short: expected at least one item")]),
  instructions: text.nullable().optional(),
  include: z
    .array(
      z.enum([
        "file_search_call.results",
        "web_search_call.results",
        "web_search_call.action.sources",
        "message.input_image.image_url",
        "computer_call_output.output.image_url",
        "code_interpreter_call.outputs",
        "reasoning.encrypted_content",
        "message.output_text.logprobs",
      ]),
    )
    .nullable()
    .optional(),
  tools: z.array(tool).nullable().optional(),
  tool_choice: z
    .union([z.enum(["none", "auto", "required"]), z.looseObject({ type: text, name: text.optional() })])
    .optional(),
  parallel_tool_calls: flag.nullable().optional(),
  max_output_tokens: wholeNumber.min(16, "integer below minimum value. Expected a value >= 16").nullable().optional(),
  max_tool_calls: wholeNumber.min(1).nullable().optional(),
  reasoning: z
    .strictObject({
      effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullable().optional(),
      summary: z.enum(["auto", "concise", "detailed"]).nullable().optional(),
      generate_summary: z.enum(["auto", "concise", "detailed"]).nullable().optional(),
      context: z.enum(["auto", "current_turn", "all_turns"]).nullable().optional(),
    })
    .nullable()
    .optional(),
  text: z
    .strictObject({ format: object.optional(), verbosity: z.enum(["low", "medium", "high"]).nullable().optional() })
    .optional(),
  truncation: z.enum(["auto", "disabled"]).nullable().optional(),
  store: flag.nullable().optional(),
  stream: flag.nullable().optional(),
  stream_options: z.strictObject({ include_obfuscation: flag.optional() }).nullable().optional(),
  previous_response_id: text.nullable().optional(),
  conversation: z.union([text, object]).nullable().optional(),
  background: z.literal(false, "this server answers at once: expected false").nullable().optional(),
  prompt_cache_key: text.max(64, "string too long. Expected a string with maximum length 64").nullable().optional(),
  prompt_cache_retention: z.enum(["in_memory", "24h"]).nullable().optional(),
  safety_identifier: text.nullable().optional(),
  service_tier: z.enum(["auto", "default", "flex", "scale", "priority"]).nullable().optional(),
  temperature: z.number().min(0).max(2).nullable().optional(),
  top_p: z.number().min(0).max(1).nullable().optional(),
  top_logprobs: wholeNumber.min(0).max(20).nullable().optional(),
  metadata: z.record(z.string(), text).nullable().optional(),
  user: text.optional(),
});

/** The fields of a Responses request and their types; meaning is checked after. */
export const responsesRequestSchema: z.ZodType<ResponsesRequest> = requestSchema;
