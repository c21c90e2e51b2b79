import { compareBodies } from "../replay/compare-bodies.ts";
import { kindOf } from "../replay/playback.ts";
import type { RecordedExchange } from "../scenario/recorded-exchange.ts";
import type { WireProblem } from "../wires/wire-problem.ts";
import type { Call } from "./call.ts";
import { checkEnvelope } from "./judge-request.ts";
import type { ReadBody } from "./read-body.ts";
import type { ServerState } from "./server-state.ts";

/** What a request deserves of a recording. `none`: it holds nothing of this kind, and the scenario has turns besides. */
export type RecordedVerdict =
  | { readonly type: "none" }
  | { readonly type: "play"; readonly kind: string; readonly recorded: RecordedExchange }
  | { readonly type: "refused"; readonly problem: WireProblem; readonly order?: number };

/** A request, its target plain. */
export interface PlainCall extends Call {
  readonly isModelCall: boolean;
}

/** Checked as the vendor would, unless it was the vendor that refused it; then compared with what was recorded. */
export function judgeRecorded(state: ServerState, call: PlainCall, body: ReadBody): RecordedVerdict {
  const { scenario, playback, comparison } = state;
  const value = body.type === "json" ? body.value : undefined;
  const kind = kindOf(call.request.method ?? "", call.target, value);
  if (scenario.exchanges === undefined) return { type: "none" };
  if (scenario.turns.length > 0 && playback.countOf(kind) === 0) return { type: "none" };
  const recorded = playback.peek(kind);
  if (recorded === undefined) return { type: "refused", problem: nothingLeft(state, call, kind) };
  const problem = check(state, call, body, recorded);
  if (problem !== undefined) return { type: "refused", problem, order: recorded.order };
  const difference = comparison === "strict" ? compareBodies(recorded.body, value) : undefined;
  if (difference === undefined) return { type: "play", kind, recorded };
  const message = `rehearsal: the request differs from the recorded one (order ${recorded.order}): ${difference}`;
  return { type: "refused", problem: call.wire.problemOf(400, message), order: recorded.order };
}

function check(
  state: ServerState,
  call: PlainCall,
  body: ReadBody,
  { answer }: RecordedExchange,
): WireProblem | undefined {
  const { request, wire, target } = call;
  const { requireKey } = state.scenario;
  if (!call.isModelCall) return wire.checkHeaders(request.headers, requireKey);
  const problem = checkEnvelope(wire, request.headers, body, requireKey);
  if (problem !== undefined || body.type !== "json") return problem;
  if (state.checks === "off" || answer.status >= 400) return undefined;
  // Signatures are the endpoint's own. That they come back as they were sent, the comparison shows.
  const place = { target, resources: state.resources, foreignSignatures: true };
  return wire.checkBody(body.value, request.headers, () => undefined, place);
}

function nothingLeft({ scenario, playback }: ServerState, { wire }: Call, kind: string): WireProblem {
  const count = playback.countOf(kind);
  const all = `all ${count} answers to ${kind} in "${scenario.name}" have been played`;
  const recorded = playback.kinds.join(", ") || "no exchanges";
  const none = `${kind} was not recorded in "${scenario.name}"; recorded are: ${recorded}`;
  return wire.problemOf(400, `rehearsal: ${count > 0 ? all : none}`);
}
