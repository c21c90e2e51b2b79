import { z } from "zod";
import { limits } from "../limits.ts";
import { exchangeSchema } from "./exchange-schema.ts";
import type { ScenarioFile } from "./scenario-file.ts";

const count = z.int().min(0);
const delay = z.int().min(0).max(limits.delayMs);
const times = z.int().min(1).optional().describe("how many requests meet the fault before the turn is served; 1");
const afterBytes = count.describe("bytes of the answer's body that are sent first");

const paceFields = {
  chunk_bytes: z.int().min(1).optional().describe("bytes per network write, cutting anywhere"),
  piece_bytes: z.int().min(1).optional().describe(`bytes of text per delta; ${limits.pieceBytes}`),
  first_byte_delay_ms: delay.optional(),
  delay_ms: delay.optional().describe("between two writes"),
};

const faultSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("http"),
    times,
    status: z.int().min(400).max(599),
    retry_after_ms: count.optional().describe("sent as the retry-after-ms header"),
    retry_after: z.string().optional().describe("sent as the Retry-After header: seconds or a date"),
    message: z.string().optional(),
  }),
  z.strictObject({ type: z.literal("cut"), times, after_bytes: afterBytes }),
  z.strictObject({ type: z.literal("end"), times, after_bytes: afterBytes }),
  z.strictObject({ type: z.literal("stall"), times, after_bytes: afterBytes }),
  z.strictObject({ type: z.literal("garbage"), times, after_bytes: afterBytes }),
  z.strictObject({
    type: z.literal("error-event"),
    times,
    after_bytes: afterBytes.optional(),
    kind: z.string().optional().describe("the vendor's error type; its word for overload"),
  }),
  z.strictObject({ type: z.literal("reset"), times }),
]);

const turnSchema = z.strictObject({
  thinking: z.string().optional(),
  text: z.string().optional(),
  repeat_text: z.int().min(1).optional().describe("the text this many times over: big answers without big files"),
  tool_calls: z
    .array(
      z.strictObject({
        name: z.string(),
        arguments: z
          .union([z.record(z.string(), z.json()), z.string()])
          .describe("an object, or a raw string that is sent as it is"),
        id: z.string().optional(),
      }),
    )
    .optional(),
  finish: z.enum(["stop", "tool-calls", "length", "content-filter", "refusal", "pause"]).optional(),
  usage: z
    .strictObject({
      input: count.optional(),
      output: count.optional(),
      cached: count.optional(),
      cache_write: count.optional(),
      reasoning: count.optional(),
    })
    .optional()
    .describe("tokens; input counts cached parts too"),
  ...paceFields,
  fault: faultSchema.optional(),
  expect: z
    .strictObject({
      last_user_text: z.string().optional().describe("a regular expression"),
      tool_results: z
        .array(
          z.strictObject({
            name: z.string().optional(),
            is_error: z.boolean().optional(),
            contains: z.string().optional(),
          }),
        )
        .optional(),
      tools: z.array(z.string()).optional().describe("names that must be offered, among others"),
    })
    .optional(),
});

const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1),
  description: z.string().optional(),
  model: z.string().min(1).optional().describe("the model id answers carry; else the one asked for"),
  loop: z.boolean().optional().describe("start again after the last turn; false"),
  require_key: z.boolean().optional().describe("refuse requests without a key; true"),
  defaults: z.strictObject(paceFields).optional().describe("for turns that do not say otherwise"),
  turns: z.array(turnSchema).describe("scripted answers, in the order of the requests; at least one without exchanges"),
  exchanges: z
    .array(exchangeSchema)
    .optional()
    .describe(
      "recorded answers: the n-th request of a kind gets the n-th of that kind. In a recording each stands on a line of its own, after a first line with the rest",
    ),
});

/** The schema of a scenario file; unknown fields are refused. */
export const scenarioFileSchema: z.ZodType<ScenarioFile> = fileSchema.superRefine((file, context) => {
  if (file.turns.length > 0 || file.exchanges !== undefined) return;
  context.addIssue({ code: "custom", path: ["turns"], message: "expected >=1 turns, or `exchanges` beside them" });
});
