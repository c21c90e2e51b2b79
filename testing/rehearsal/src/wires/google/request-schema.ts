import { z } from "zod";
import type { GoogleContent, GoogleRequest, GoogleTool } from "./google-request.ts";

const text = z.string("expected a string");
const flag = z.boolean("expected a boolean");
const count = z.int("expected an integer");
const object = z.record(z.string(), z.unknown(), "expected an object");
const list = z.array(object, "expected a list");
const base64 = text.regex(/^[A-Za-z0-9+/]+={0,2}$/, "Base64 decoding failed");
const mimeType = text.regex(/^(image|audio|video|application|text)\/[\w.+-]+$/, "Unsupported MIME type");
const callId = text.min(1, "expected a string that is not empty").max(256, "the id is too long");
const functionName = text.regex(
  /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/,
  "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 128",
);

const part = z.strictObject({
  text: text.optional(),
  inlineData: z.strictObject({ mimeType, data: base64, displayName: text.optional() }).optional(),
  fileData: z.strictObject({ fileUri: text, mimeType: mimeType.optional(), displayName: text.optional() }).optional(),
  functionCall: z.strictObject({ id: callId.optional(), name: functionName, args: object.optional() }).optional(),
  functionResponse: z
    .strictObject({
      id: callId.optional(),
      name: functionName,
      response: object,
      parts: list.optional(),
      willContinue: flag.optional(),
      scheduling: text.optional(),
    })
    .optional(),
  executableCode: object.optional(),
  codeExecutionResult: object.optional(),
  toolCall: object.optional(),
  toolResponse: object.optional(),
  thought: flag.optional(),
  // Bytes: both alphabets of base64 are taken.
  thoughtSignature: text.regex(/^[A-Za-z0-9+/_-]+={0,2}$/, "Base64 decoding failed").optional(),
  videoMetadata: object.optional(),
  mediaResolution: z.unknown().optional(),
  partMetadata: object.optional(),
});

const contentSchema = z.strictObject({
  role: z.enum(["user", "model"], "Please use a valid role: user, model.").optional(),
  parts: z.array(part, "expected a list").min(1, "must include at least one parts field"),
});

const functionDeclaration = z.strictObject({
  name: functionName,
  description: text,
  parameters: object.optional(),
  parametersJsonSchema: object.optional(),
  response: object.optional(),
  responseJsonSchema: object.optional(),
  behavior: text.optional(),
});

const toolSchema = z.strictObject({
  functionDeclarations: z.array(functionDeclaration, "expected a list").optional(),
  googleSearch: object.optional(),
  googleSearchRetrieval: object.optional(),
  codeExecution: object.optional(),
  urlContext: object.optional(),
  computerUse: object.optional(),
  fileSearch: object.optional(),
  googleMaps: object.optional(),
});

const generationConfig = z.strictObject({
  stopSequences: z.array(text).optional(),
  responseMimeType: text.optional(),
  responseSchema: object.optional(),
  responseJsonSchema: object.optional(),
  responseModalities: z.array(text).optional(),
  candidateCount: count.min(1).optional(),
  maxOutputTokens: count.min(1, "max_output_tokens must be positive").optional(),
  temperature: z.number().min(0).max(2).optional(),
  topP: z.number().min(0).max(1).optional(),
  topK: z.number().min(0).optional(),
  seed: count.optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  responseLogprobs: flag.optional(),
  logprobs: count.optional(),
  enableEnhancedCivicAnswers: flag.optional(),
  speechConfig: object.optional(),
  imageConfig: object.optional(),
  mediaResolution: text.optional(),
  thinkingConfig: z
    .strictObject({
      includeThoughts: flag.optional(),
      thinkingBudget: count.min(-1, "The thinking budget is out of range").optional(),
      thinkingLevel: z.enum(["MINIMAL", "LOW", "MEDIUM", "HIGH", "minimal", "low", "medium", "high"]).optional(),
    })
    .optional(),
});

const prompt = {
  systemInstruction: z.strictObject({ role: text.optional(), parts: z.array(part).min(1) }).optional(),
  tools: z.array(toolSchema, "expected a list").optional(),
  toolConfig: object.optional(),
};

const requestSchema = z.strictObject({
  model: text.optional(),
  contents: z.array(contentSchema, "expected a list").min(1, "contents is not specified"),
  ...prompt,
  safetySettings: list.optional(),
  generationConfig: generationConfig.optional(),
  cachedContent: text.regex(/^cachedContents\/\S+$/, "Invalid cached content name").optional(),
  serviceTier: text.optional(),
});

/** The fields of a generateContent request and their types; meaning is checked after. */
export const googleRequestSchema: z.ZodType<GoogleRequest> = requestSchema;

/** What a cached content is made of. */
export interface CachedContentRequest {
  readonly model: string;
  readonly contents?: readonly GoogleContent[] | undefined;
  readonly tools?: readonly GoogleTool[] | undefined;
  readonly systemInstruction?: object | undefined;
  readonly ttl?: string | undefined;
  readonly displayName?: string | undefined;
}

/** The fields of a request that makes a cached content. */
export const cachedContentSchema: z.ZodType<CachedContentRequest> = z.strictObject({
  model: text.regex(/^models\/\S+$/, "Invalid model name. Expected models/{model}"),
  contents: z.array(contentSchema, "expected a list").optional(),
  ...prompt,
  ttl: text.regex(/^\d+(\.\d{1,9})?s$/, "Invalid duration").optional(),
  displayName: text.max(128).optional(),
});
