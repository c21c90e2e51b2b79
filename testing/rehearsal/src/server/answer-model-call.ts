import type { Fault } from "../scenario/scenario.ts";
import type { CacheUse } from "../cache/prompt-cache.ts";
import { buildAnswer } from "./build-answer.ts";
import { type Call, exchangeOf, type Outcome, requestId, sendProblem } from "./call.ts";
import { judgeRequest, type Verdict } from "./judge-request.ts";
import type { ReadBody } from "./read-body.ts";
import { sendAnswer } from "./send-answer.ts";
import type { ServerState } from "./server-state.ts";

/** Answers a model call with the scenario's next turn, or refuses it. */
export async function answerModelCall(state: ServerState, call: Call, body: ReadBody): Promise<void> {
  const { wire, request, response, target } = call;
  const { memory } = state;
  const thinkingOf = (callId: string): string | undefined => memory.find(wire.name, callId);
  const verdict = judgeRequest({ ...state, target, thinkingOf }, wire, request.headers, body);
  state.record(exchangeOf(call, body.type === "json" ? body.value : undefined, outcomeOf(verdict)));
  if (verdict.type === "refused") {
    sendProblem(call, verdict.problem);
    return;
  }
  const { fault } = verdict.cue;
  if (fault?.type === "reset") {
    request.socket.resetAndDestroy();
    return;
  }
  if (fault?.type === "http") {
    sendProblem(call, wire.problemOf(fault.status, fault.message), retryHeaders(fault));
    return;
  }
  const answer = buildAnswer(state.scenario, verdict.cue, {
    wire,
    ...verdict,
    countTokens: state.countTokens,
    cacheUse: cacheUse(state, call, verdict),
  });
  if (fault === undefined) memory.remember(wire.name, answer);
  const { streams } = verdict.facts;
  response.writeHead(200, {
    "content-type": streams ? "text/event-stream; charset=utf-8" : "application/json",
    ...(streams && { "cache-control": "no-cache" }),
    [wire.requestIdHeader]: requestId(call),
  });
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const events = streams ? wire.renderEvents(answer, verdict.facts) : [wire.renderWhole(answer)];
  const { pace } = verdict.cue.turn;
  const errorEvent = wire.renderErrorEvent(fault?.type === "error-event" ? fault.kind : undefined);
  await sendAnswer(response, { events, pace, fault, errorEvent }, gone.signal);
}

/** A prompt is read, and kept, even when its answer is going to break off. */
function cacheUse({ promptCache }: ServerState, { wire }: Call, { body, facts }: Played): CacheUse | undefined {
  const prompt = wire.promptOf(body, facts);
  return prompt && promptCache.use(prompt);
}

type Played = Extract<Verdict, { readonly type: "play" }>;

function outcomeOf(verdict: Verdict): Outcome {
  if (verdict.type === "refused") {
    const { problem, turnIndex } = verdict;
    return { status: problem.status, problem, ...(turnIndex !== undefined && { turnIndex }) };
  }
  const { fault, turnIndex } = verdict.cue;
  return { status: statusOf(fault), turnIndex, ...(fault !== undefined && { fault: fault.type }) };
}

function statusOf(fault: Fault | undefined): number {
  if (fault?.type === "reset") return 0;
  return fault?.type === "http" ? fault.status : 200;
}

function retryHeaders(fault: Extract<Fault, { type: "http" }>): Readonly<Record<string, string>> {
  return {
    ...(fault.retryAfterMs !== undefined && { "retry-after-ms": String(fault.retryAfterMs) }),
    ...(fault.retryAfter !== undefined && { "retry-after": fault.retryAfter }),
  };
}
