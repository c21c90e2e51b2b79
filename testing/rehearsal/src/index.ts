export { parseScenario } from "./scenario/parse-scenario.ts";
export type {
  Expectation,
  ExpectedResult,
  Fault,
  Pace,
  Scenario,
  ScenarioFinish,
  ScenarioToolCall,
  ScenarioTurn,
  ScenarioUsage,
} from "./scenario/scenario.ts";
export { scenarioJsonSchema } from "./scenario/scenario-json-schema.ts";
export type { Exchange } from "./server/exchange.ts";
export type { Comparison } from "./replay/playback.ts";
export { type ForwardedExchange, type Recorder, type RecorderOptions, startRecorder } from "./record/start-recorder.ts";
export type { RecordedAnswer, RecordedExchange } from "./scenario/recorded-exchange.ts";
export { type Rehearsal, type RehearsalOptions, startRehearsal } from "./server/start-rehearsal.ts";
export { checkAnthropicRequest } from "./wires/anthropic/check-anthropic-request.ts";
export { signThinking } from "./wires/anthropic/sign-thinking.ts";
export { checkGoogleRequest } from "./wires/google/check-google-request.ts";
export { isOwnSignature, signPart, type SignedPart } from "./wires/google/sign-part.ts";
export { checkChatRequest } from "./wires/openai-chat/check-chat-request.ts";
export { checkResponsesRequest } from "./wires/openai-responses/check-responses-request.ts";
export { callMark, sealReasoning } from "./wires/openai-responses/seal-reasoning.ts";
export type { ThinkingMemory } from "./wires/wire.ts";
export type { WireName } from "./wires/wire-name.ts";
export type { WireProblem } from "./wires/wire-problem.ts";
