/** Bounds of everything this package buffers or waits for. The unit is the last word of the name. */
export const limits = {
  /** One server-sent event, in characters. A whole tool argument may arrive in one event; ten megabytes must pass with room. */
  eventChars: 67_108_864,
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
  /** Blocks or calls in one answer. */
  blocks: 4096,
  /** Unknown things of one answer that are kept for people. */
  unknownParts: 256,
  /** Text of one unknown thing, in characters. */
  unknownChars: 16_384,
  /** Malformed arguments kept for the model to see, in characters. */
  malformedChars: 16_384,
  /** Nesting of JSON that is kept: everything later walks it recursively. */
  jsonDepth: 200,
  /** Cached prefixes per request that the Messages API allows. */
  cacheBreakpoints: 4,
  /** Smallest output limit the Responses API accepts, in tokens. */
  responsesOutputTokens: 16,
  /** Smallest thinking budget the Messages API accepts, in tokens. */
  thinkingBudgetTokens: 1024,
  /** The answer of a call beside the model call, such as one that makes a cached content. */
  sideAnswerBytes: 1_048_576,
  /** Wait for a cached content before the model is asked without one, in ms. */
  cachedContentMs: 10_000,
  /** A cached content is not relied on in its last moments, in ms. */
  cachedContentMarginMs: 30_000,
  /** After a refusal no cached content is asked for during this time, in ms, unless the prefix has grown. */
  cachedContentPauseMs: 600_000,
  /** Cached contents one provider keeps in mind: sessions and models that alternate. */
  cachedContents: 16,
  /** Depth to which references in a tool's schema are followed: schemas may refer to themselves. */
  schemaDepth: 16,
  /** Tool names on the wire, in characters (both vendors). */
  toolNameChars: 64,
} as const;
