import type { Usage } from "@capstan/protocol";
import type { CacheUse, CountTokens } from "../cache/prompt-cache.ts";
import type { Scenario, ScenarioToolCall, ScenarioTurn, ScenarioUsage } from "../scenario/scenario.ts";
import type { Answer, AnswerCall, RequestFacts, Wire } from "../wires/wire.ts";
import type { Cue } from "./playhead.ts";

interface Asked {
  readonly wire: Wire;
  readonly facts: RequestFacts;
  readonly requestBytes: number;
  readonly countTokens: CountTokens;
  /** Absent where the wire does not say what the model reads. */
  readonly cacheUse: CacheUse | undefined;
}

/**
 * The answer a turn gives on a wire. Call ids follow from the turn's place, so a turn that is asked for again has them again.
 * @param asked  its size and what the cache held of it: the input's tokens where the scenario names none
 */
export function buildAnswer(scenario: Scenario, cue: Cue, asked: Asked): Answer {
  const { turn } = cue;
  const calls = toCalls(scenario, cue, asked);
  return {
    number: cue.round * scenario.turns.length + cue.turnIndex + 1,
    model: scenario.model ?? asked.facts.model,
    thinking: turn.thinking,
    text: turn.text,
    calls,
    finish: turn.finish,
    usage: toUsage(turn, calls, asked),
    pieceBytes: turn.pace.pieceBytes,
  };
}

function toCalls(scenario: Scenario, cue: Cue, { wire, facts }: Asked): readonly AnswerCall[] {
  const prefix = wire.callIdPrefix;
  const before = cue.round * countCalls(scenario.turns) + countCalls(scenario.turns.slice(0, cue.turnIndex));
  return cue.turn.toolCalls.map((call, index) => ({
    id: call.id ?? `${prefix}${String(before + index + 1).padStart(2, "0")}`,
    name: call.name,
    argumentsText: argumentsText(call),
    ...(facts.customTools?.includes(call.name) === true ? { customInput: customInput(call) } : {}),
  }));
}

function countCalls(turns: readonly ScenarioTurn[]): number {
  return turns.reduce((sum, turn) => sum + turn.toolCalls.length, 0);
}

function argumentsText(call: ScenarioToolCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

/** The text that a call of a custom tool brings: the only one among its arguments, or all of them as they stand. */
function customInput(call: ScenarioToolCall): string {
  if (typeof call.arguments === "string") return call.arguments;
  const texts = Object.values(call.arguments);
  return texts.length === 1 && typeof texts[0] === "string" ? texts[0] : JSON.stringify(call.arguments);
}

/** A common rule of thumb; only used where neither the scenario nor the wire says. */
const bytesPerToken = 4;

function toUsage(turn: ScenarioTurn, calls: readonly AnswerCall[], asked: Asked): Usage {
  const count = (text: string): number => Math.ceil(asked.countTokens(text));
  const { reasoning = count(turn.thinking) } = turn.usage;
  const spoken = turn.text + calls.map((call) => call.name + call.argumentsText).join("");
  const outputTokens = turn.usage.output ?? Math.max(1, count(spoken) + reasoning);
  return { ...inputUsage(turn.usage, asked), outputTokens, reasoningTokens: Math.min(reasoning, outputTokens) };
}

type InputUsage = Pick<Usage, "inputTokens" | "cachedInputTokens" | "cacheWriteTokens">;

/** What the scenario says about the input, or what the simulated cache makes of it; never a mixture. */
function inputUsage(usage: ScenarioUsage, { requestBytes, cacheUse }: Asked): InputUsage {
  const { input, cached, cacheWrite } = usage;
  const isStated = input !== undefined || cached !== undefined || cacheWrite !== undefined;
  if (cacheUse !== undefined && !isStated) {
    return { inputTokens: cacheUse.prompt, cachedInputTokens: cacheUse.read, cacheWriteTokens: cacheUse.written };
  }
  const [read, written] = [cached ?? 0, cacheWrite ?? 0];
  return {
    inputTokens: input ?? Math.ceil(requestBytes / bytesPerToken) + read + written,
    cachedInputTokens: read,
    cacheWriteTokens: written,
  };
}
