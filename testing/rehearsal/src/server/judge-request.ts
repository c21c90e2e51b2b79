import type { IncomingHttpHeaders } from "node:http";
import type { Scenario } from "../scenario/scenario.ts";
import type { RequestFacts, RequestPlace, ThinkingMemory, Wire } from "../wires/wire.ts";
import type { WireProblem } from "../wires/wire-problem.ts";
import { checkExpectation } from "./check-expectation.ts";
import type { Cue, Playhead } from "./playhead.ts";
import type { ReadBody } from "./read-body.ts";

/** What a model request deserves: its turn (or the fault before it), or the vendor's refusal. */
export type Verdict =
  | {
      readonly type: "play";
      readonly cue: Cue;
      readonly facts: RequestFacts;
      readonly body: unknown;
      readonly requestBytes: number;
    }
  | { readonly type: "refused"; readonly problem: WireProblem; readonly turnIndex?: number };

export interface Court extends RequestPlace {
  readonly scenario: Scenario;
  readonly playhead: Playhead;
  readonly checks: "strict" | "off";
  readonly thinkingOf: ThinkingMemory;
}

/** Checks a request in the order a vendor does, and only then moves the scenario on: a refused request plays nothing. */
export function judgeRequest(court: Court, wire: Wire, headers: IncomingHttpHeaders, body: ReadBody): Verdict {
  const envelopeProblem = checkEnvelope(wire, headers, body, court.scenario.requireKey);
  if (envelopeProblem !== undefined) return refused(envelopeProblem);
  if (body.type !== "json") return refused(wire.problemOf(400, undefined));
  const problem = court.checks === "strict" ? wire.checkBody(body.value, headers, court.thinkingOf, court) : undefined;
  return problem === undefined ? judgeTurn(court, wire, body) : refused(problem);
}

/** Key, version, size, and that the body is JSON. */
export function checkEnvelope(
  wire: Wire,
  headers: IncomingHttpHeaders,
  body: ReadBody,
  requireKey: boolean,
): WireProblem | undefined {
  const headerProblem = wire.checkHeaders(headers, requireKey);
  if (headerProblem !== undefined) return headerProblem;
  if (body.type === "too-large") return wire.problemOf(413, undefined);
  if (!/^application\/json\b/i.test(headers["content-type"] ?? "")) {
    return wire.problemOf(400, "content-type: application/json is required");
  }
  return body.type === "not-json" ? wire.problemOf(400, body.message) : undefined;
}

function judgeTurn(court: Court, wire: Wire, body: Extract<ReadBody, { type: "json" }>): Verdict {
  const { scenario, playhead } = court;
  const next = playhead.peek();
  if (next === undefined) {
    const count = scenario.turns.length;
    const over = `rehearsal: the scenario "${scenario.name}" is over: all ${count} of its turns have been played`;
    return { type: "refused", problem: wire.problemOf(400, over) };
  }
  const facts = wire.read(body.value, court);
  const difference = next.turn.expect && checkExpectation(next.turn.expect, facts);
  if (difference !== undefined) {
    const problem = wire.problemOf(400, `rehearsal: turn ${next.turnIndex} expects another request: ${difference}`);
    return { type: "refused", problem, turnIndex: next.turnIndex };
  }
  return {
    type: "play",
    cue: playhead.take() ?? { ...next, round: 0, fault: undefined },
    facts,
    body: body.value,
    requestBytes: body.sizeBytes,
  };
}

function refused(problem: WireProblem): Verdict {
  return { type: "refused", problem };
}
