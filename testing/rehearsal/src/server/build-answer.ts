import type { Usage } from "@capstan/protocol";
import type { Scenario, ScenarioToolCall, ScenarioTurn } from "../scenario/scenario.ts";
import type { Answer, AnswerCall, RequestFacts, Wire } from "../wires/wire.ts";
import type { Cue } from "./playhead.ts";

/**
 * The answer a turn gives on a wire. Call ids follow from the turn's place, so a turn that is asked for again has them again.
 * @param requestBytes  size of the request; input tokens are estimated from it where the scenario names none
 */
export function buildAnswer(
  scenario: Scenario,
  cue: Cue,
  asked: { readonly wire: Wire; readonly facts: RequestFacts; readonly requestBytes: number },
): Answer {
  const { turn } = cue;
  const calls = toCalls(scenario, cue, asked.wire.callIdPrefix);
  return {
    number: cue.round * scenario.turns.length + cue.turnIndex + 1,
    model: scenario.model ?? asked.facts.model,
    thinking: turn.thinking,
    text: turn.text,
    calls,
    finish: turn.finish,
    usage: toUsage(turn, calls, asked.requestBytes),
    pieceBytes: turn.pace.pieceBytes,
  };
}

function toCalls(scenario: Scenario, cue: Cue, prefix: string): readonly AnswerCall[] {
  const before = cue.round * countCalls(scenario.turns) + countCalls(scenario.turns.slice(0, cue.turnIndex));
  return cue.turn.toolCalls.map((call, index) => ({
    id: call.id ?? `${prefix}${String(before + index + 1).padStart(2, "0")}`,
    name: call.name,
    argumentsText: argumentsText(call),
  }));
}

function countCalls(turns: readonly ScenarioTurn[]): number {
  return turns.reduce((sum, turn) => sum + turn.toolCalls.length, 0);
}

function argumentsText(call: ScenarioToolCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

/** A common rule of thumb; only used where the scenario does not say. */
const bytesPerToken = 4;

function toUsage(turn: ScenarioTurn, calls: readonly AnswerCall[], requestBytes: number): Usage {
  const { cached = 0, cacheWrite = 0, reasoning = tokens(turn.thinking.length) } = turn.usage;
  const spoken = turn.text.length + calls.reduce((sum, call) => sum + call.name.length + call.argumentsText.length, 0);
  const outputTokens = turn.usage.output ?? Math.max(1, tokens(spoken) + reasoning);
  return {
    inputTokens: turn.usage.input ?? tokens(requestBytes) + cached + cacheWrite,
    cachedInputTokens: cached,
    cacheWriteTokens: cacheWrite,
    outputTokens,
    reasoningTokens: Math.min(reasoning, outputTokens),
  };
}

function tokens(sizeBytes: number): number {
  return Math.ceil(sizeBytes / bytesPerToken);
}
