/** Bounds of everything this package buffers or waits for. The unit is the last word of the name. */
export const limits = {
  /** One server-sent event, in characters. A whole tool argument may arrive in one event; ten megabytes must pass with room. */
  eventChars: 33_554_432,
  /** Text, thinking and arguments of one answer, in characters; more than any model writes. */
  answerChars: 67_108_864,
  /** Everything one answer may bring over the wire after decompression: small pieces cost about eight times their content. */
  streamBytes: 536_870_912,
  /** A whole answer sent as one JSON document. */
  documentBytes: 67_108_864,
  /** Read of an error answer; vendors send a few hundred bytes, proxies a page. */
  errorBodyBytes: 32_768,
  /** What of an error text reaches people, in characters. */
  errorTextChars: 400,
  /** Network input waiting for the consumer before the socket is paused. */
  queuedBytes: 1_048_576,
  /** What may follow the end mark and still leave the connection reusable. */
  drainBytes: 65_536,
  /** Time for that, in ms. */
  drainMs: 1000,
  /** An idle kept-alive connection is closed after this, in ms: longer ones are often dropped silently on the way. */
  keptAliveMs: 30_000,
  /** Blocks or calls in one answer, and citations of one text. */
  blocks: 4096,
  /** Forms of events learnt for nothing before an answer is parsed event by event. */
  deltaTemplates: 16,
  /** Pieces of a text that wait to be joined, in characters. */
  looseChars: 8192,
  /** Unknown things of one answer that are kept for people. */
  unknownParts: 256,
  /** Text of one unknown thing, in characters. */
  unknownChars: 16_384,
  /** Malformed arguments kept for the model to see, in characters. */
  malformedChars: 16_384,
  /** Nesting of JSON that is kept: everything later walks it recursively. */
  jsonDepth: 200,
  /** One image as the Messages API takes it: five megabytes, counted in base64. */
  anthropicImageChars: 5_242_880,
  /** One PDF there, with room for the rest of a request of 32 megabytes. */
  anthropicFileChars: 30_000_000,
  /** One attachment as OpenAI takes it: fifty megabytes a request. */
  openAiMediaChars: 50_000_000,
  /** One attachment as Gemini takes it inside a request, which may have twenty megabytes. */
  googleMediaChars: 19_000_000,
  /** Cached prefixes per request that the Messages API allows. */
  cacheBreakpoints: 4,
  /** Smallest output limit the Responses API accepts, in tokens. */
  responsesOutputTokens: 16,
  /** Smallest thinking budget the Messages API accepts, in tokens. */
  thinkingBudgetTokens: 1024,
  /** The answer of a call beside the model call, such as one that makes a cached content. */
  sideAnswerBytes: 1_048_576,
  /** Limits read from one answer's head; vendors send two to eight. */
  rateLimits: 32,
  /** Wait for a cached content before the model is asked without one, in ms. */
  cachedContentMs: 10_000,
  /** A cached content is not relied on in its last moments, in ms. */
  cachedContentMarginMs: 30_000,
  /** After a refusal no cached content is asked for during this time, in ms, unless the prefix has grown. */
  cachedContentPauseMs: 600_000,
  /** Cached contents one provider keeps in mind: sessions and models that alternate. */
  cachedContents: 16,
  /** One page of a vendor's list of models; gateways send about a megabyte. */
  modelListBytes: 33_554_432,
  /** Pages of such a list; the vendors that page send a thousand models a page. */
  modelPages: 20,
  /** Models of one provider that are kept; gateways have some hundreds. */
  models: 10_000,
  /** A model's id or name, in characters. */
  modelNameChars: 200,
  /** Depth to which references in a tool's schema are followed: schemas may refer to themselves. */
  schemaDepth: 16,
  /** White space at the start of an answer that may still be followed by a thinking tag, in characters. */
  thinkLeadChars: 1024,
  /** The start of an answer that waits for the end tag of thinking whose opening tag is missing, in characters. */
  thinkHeldChars: 65_536,
  /** By then text that may be a call must look like one, in characters. */
  callHeadChars: 1024,
  /** Text held back because it may be a tool call written as text, in characters; a file to write must fit. */
  heldCallChars: 1_048_576,
  /** Places of one answer at which calls are looked for once it has ended: each try may read all that follows. */
  heldCallTries: 64,
  /** Calls read out of one answer's text. */
  textCalls: 64,
  /** Tool names on the wire, in characters (both vendors). */
  toolNameChars: 64,
} as const;
