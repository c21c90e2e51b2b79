/** Every bound of this package, with its unit and why that number. */
export const limits: Limits = {
  /** A request body; the vendors refuse more than 32 MB with status 413. */
  requestBytes: 33_554_432,
  /** A scenario file: written by hand, big answers come from `repeat_text`. */
  scenarioBytes: 16_777_216,
  /** A recording: every request holds the conversation before it, so a long session's is large. Below a string's limit. */
  recordingBytes: 268_435_456,
  /** One recorded answer, and what a compressed one may become; more is passed on, but recorded as broken off. */
  recordedAnswerBytes: 67_108_864,
  /** One turn's text after `repeat_text`, in UTF-16 units; it is rendered in memory a few times over. */
  turnTextLength: 67_108_864,
  /** Kept exchanges; older ones are dropped, so that a long benchmark does not grow without end. */
  keptExchanges: 1_000,
  /** Tool calls whose thinking is remembered; older ones are dropped. Only the last batch is ever asked about. */
  rememberedCalls: 10_000,
  /** Digests of prompt prefixes that the simulated caches hold; the oldest are dropped. Some 100 MB of prompts. */
  rememberedPrefixes: 200_000,
  /** What clients may store on one server. */
  keptResources: 100,
  /** Nesting of a request body: far above any real schema, far below the stack. */
  requestDepth: 200,
  /** Problems named in one scenario error: more would bury the first. */
  shownScenarioProblems: 5,
  /** Bytes per network write where the scenario names none: one TLS record. */
  chunkBytes: 16_384,
  /** Bytes per text, thinking or argument delta where the scenario names none: about what vendors send. */
  pieceBytes: 48,
  /** Any delay of a scenario; a longer one is a typing error. */
  delayMs: 600_000,
  /** Idle time of a kept-alive connection: longer than most tool calls, so that the next step finds it open. */
  keepAliveMs: 120_000,
};

type Limits = Readonly<
  Record<
    | "requestBytes"
    | "scenarioBytes"
    | "recordingBytes"
    | "recordedAnswerBytes"
    | "turnTextLength"
    | "keptExchanges"
    | "rememberedCalls"
    | "rememberedPrefixes"
    | "keptResources"
    | "requestDepth"
    | "shownScenarioProblems"
    | "chunkBytes"
    | "pieceBytes"
    | "delayMs"
    | "keepAliveMs",
    number
  >
>;
