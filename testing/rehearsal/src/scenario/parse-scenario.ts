import { messageOf } from "@capstan/protocol";
import { limits } from "../limits.ts";
import { schemaIssues } from "../schema-issue.ts";
import { parseJson } from "./parse-json.ts";
import { readRecording } from "./read-recording.ts";
import { describe, refuse } from "./refuse-scenario.ts";
import type { Expectation, ExpectedResult, Fault, Pace, Scenario, ScenarioTurn, ScenarioUsage } from "./scenario.ts";
import type {
  ExpectationFile,
  ExpectedResultFile,
  FaultFile,
  PaceFile,
  ScenarioFile,
  TurnFile,
  UsageFile,
} from "./scenario-file.ts";
import { scenarioFileSchema } from "./scenario-schema.ts";

/**
 * Reads a scenario, or a recording, which is one.
 * @param text  the file's content: JSON; of a recording a line of JSON, and one more for each exchange
 * @param name  the file's name, for messages
 * @throws {AppError} `rehearsal.scenario` naming file, field and what was expected
 */
export function parseScenario(text: string, name: string): Scenario {
  const { head, lines } = readRecording(text, name);
  if (Buffer.byteLength(head) > limits.scenarioBytes) {
    throw refuse(name, `larger than ${limits.scenarioBytes} bytes`, "Use `repeat_text` for big answers.");
  }
  const value = parseJson(head, name);
  const parsed = scenarioFileSchema.safeParse(value);
  if (!parsed.success) throw refuse(name, describe(schemaIssues(parsed.error, value)));
  const file = parsed.data;
  const exchanges = [...(file.exchanges ?? []), ...lines].toSorted((a, b) => a.order - b.order);
  return {
    name: file.name,
    ...(file.description !== undefined && { description: file.description }),
    ...(file.model !== undefined && { model: file.model }),
    loop: file.loop ?? false,
    requireKey: file.require_key ?? true,
    turns: file.turns.map((turn, index) => toTurn(turn, file, { name, at: `turns[${index}]` })),
    ...((file.exchanges !== undefined || lines.length > 0) && { exchanges }),
  };
}

interface Place {
  readonly name: string;
  readonly at: string;
}

function toTurn(turn: TurnFile, file: ScenarioFile, place: Place): ScenarioTurn {
  const { text = "", repeat_text: repeats = 1 } = turn;
  if (text.length * repeats > limits.turnTextLength) {
    throw refuse(place.name, `${place.at}.repeat_text: the text would exceed ${limits.turnTextLength} characters`);
  }
  const toolCalls = (turn.tool_calls ?? []).map(({ id, ...call }) => ({ ...call, ...(id !== undefined && { id }) }));
  return {
    thinking: turn.thinking ?? "",
    text: text.repeat(repeats),
    toolCalls,
    finish: turn.finish ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
    usage: toUsage(turn.usage ?? {}, place),
    pace: toPace({ ...file.defaults, ...turn }),
    ...(turn.fault !== undefined && { fault: toFault(turn.fault) }),
    ...(turn.expect !== undefined && { expect: toExpectation(turn.expect, place) }),
  };
}

function toUsage(usage: UsageFile, place: Place): ScenarioUsage {
  const { input, output, cached, cache_write: cacheWrite, reasoning } = usage;
  if (input !== undefined && (cached ?? 0) + (cacheWrite ?? 0) > input) {
    throw refuse(place.name, `${place.at}.usage.input: expected at least cached + cache_write, which it includes`);
  }
  if (output !== undefined && (reasoning ?? 0) > output) {
    throw refuse(place.name, `${place.at}.usage.output: expected at least reasoning, which it includes`);
  }
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cached !== undefined && { cached }),
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

function toPace(fields: PaceFile): Pace {
  return {
    ...(fields.chunk_bytes !== undefined && { chunkBytes: fields.chunk_bytes }),
    pieceBytes: fields.piece_bytes ?? limits.pieceBytes,
    firstByteDelayMs: fields.first_byte_delay_ms ?? 0,
    delayMs: fields.delay_ms ?? 0,
  };
}

function toFault(fault: FaultFile): Fault {
  const times = fault.times ?? 1;
  switch (fault.type) {
    case "http":
      return {
        type: "http",
        times,
        status: fault.status,
        ...(fault.retry_after_ms !== undefined && { retryAfterMs: fault.retry_after_ms }),
        ...(fault.retry_after !== undefined && { retryAfter: fault.retry_after }),
        ...(fault.message !== undefined && { message: fault.message }),
      };
    case "error-event":
      return {
        type: "error-event",
        times,
        afterBytes: fault.after_bytes ?? 0,
        ...(fault.kind !== undefined && { kind: fault.kind }),
      };
    case "reset":
      return { type: "reset", times };
    default:
      return { type: fault.type, times, afterBytes: fault.after_bytes };
  }
}

function toExpectation(expect: ExpectationFile, place: Place): Expectation {
  const { last_user_text: pattern, tool_results: results, tools } = expect;
  return {
    ...(pattern !== undefined && { lastUserText: toPattern(pattern, place) }),
    ...(results !== undefined && { toolResults: results.map(toExpectedResult) }),
    ...(tools !== undefined && { tools }),
  };
}

function toExpectedResult(result: ExpectedResultFile): ExpectedResult {
  return {
    ...(result.name !== undefined && { name: result.name }),
    ...(result.is_error !== undefined && { isError: result.is_error }),
    ...(result.contains !== undefined && { contains: result.contains }),
  };
}

function toPattern(source: string, place: Place): RegExp {
  try {
    return new RegExp(source);
  } catch (error) {
    const problem = `${place.at}.expect.last_user_text: expected a regular expression: ${messageOf(error)}`;
    throw refuse(place.name, problem, undefined, { cause: error });
  }
}
