import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "../limits.ts";
import type { Fault, Scenario } from "../scenario/scenario.ts";
import { allWires } from "../wires/all-wires.ts";
import type { Answer, ResourceStore, Wire, WireName } from "../wires/wire.ts";
import type { WireProblem } from "../wires/wire-problem.ts";
import { buildAnswer } from "./build-answer.ts";
import type { Exchange } from "./exchange.ts";
import { judgeRequest, type Verdict } from "./judge-request.ts";
import type { Playhead } from "./playhead.ts";
import { type ReadBody, readBody } from "./read-body.ts";
import { redactHeaders } from "./redact-headers.ts";
import { sendAnswer } from "./send-answer.ts";

export interface ServeOptions {
  readonly scenario: Scenario;
  readonly playhead: Playhead;
  readonly checks: "strict" | "off";
  readonly record: (exchange: Exchange) => void;
}

/** Answers one request; resolves when its answer is over. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What a request and its answer have in common. */
interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly order: number;
  readonly path: string;
  /** Path and query. */
  readonly target: string;
  readonly wire: Wire;
}

/** The server's behaviour, without its socket. */
export function serveRequests(options: ServeOptions): RequestHandler {
  const memory = createMemory();
  const resources: ResourceStore = new Map();
  let order = 0;
  return async (request, response) => {
    order += 1;
    const target = request.url ?? "/";
    const path = target.split("?")[0] ?? "/";
    const owner = allWires.find((wire) => wire.paths.includes(path) || wire.owns?.(target) === true);
    const wire = owner ?? allWires.find((candidate) => candidate.claims(request.headers)) ?? fallbackWire();
    const call: Call = { request, response, order, path, target, wire };
    const body = await readBody(request).catch(() => undefined);
    // Without a body the client went away while sending: nobody is left to answer.
    if (body === undefined) return;
    if (owner !== undefined && request.method === "POST") {
      await answerModelCall({ ...options, memory, resources }, call, body);
    } else if (!answerResource(options, call, body, resources)) answerOther(options, call, owner !== undefined);
  };
}

function fallbackWire(): Wire {
  const last = allWires.at(-1);
  if (last === undefined) throw new Error("no wire is registered");
  return last;
}

function answerOther({ scenario, record }: ServeOptions, call: Call, known: boolean): void {
  const { wire, request, path } = call;
  if (request.method === "GET" && /^(\/v1(?:beta)?)?\/models$/.test(path)) {
    const problem = wire.checkHeaders(request.headers, scenario.requireKey);
    record(exchangeOf(call, undefined, { status: problem?.status ?? 200, ...(problem !== undefined && { problem }) }));
    if (problem !== undefined) sendProblem(call, problem);
    else sendJson(call, 200, JSON.stringify(wire.renderModels(scenario.model ?? "rehearsal")));
    return;
  }
  const what = `${request.method} ${path}`;
  const problem = known
    ? wire.problemOf(405, `${what}: method not allowed`)
    : wire.problemOf(
        404,
        `${what}: this server has POST ${allWires.map(({ paths }) => paths[0]).join(", POST ")} and GET /v1/models`,
      );
  record(exchangeOf(call, undefined, { status: problem.status, problem }));
  sendProblem(call, problem);
}

/** False: no wire has such a resource. */
function answerResource(
  { scenario, record }: ServeOptions,
  call: Call,
  body: ReadBody,
  resources: ResourceStore,
): boolean {
  const { wire, request, path } = call;
  const value = body.type === "json" ? body.value : undefined;
  const keyProblem = wire.checkHeaders(request.headers, scenario.requireKey);
  const store: ResourceStore = keyProblem === undefined ? resources : new Map();
  const served = wire.serveResource?.({ method: request.method ?? "", path, body: value }, store);
  if (served === undefined) return false;
  const problem = keyProblem ?? ("problem" in served ? served.problem : undefined);
  record(exchangeOf(call, value, { status: problem?.status ?? 200, ...(problem !== undefined && { problem }) }));
  if (problem !== undefined) sendProblem(call, problem);
  else if ("body" in served) sendJson(call, 200, JSON.stringify(served.body));
  return true;
}

interface ModelCallOptions extends ServeOptions {
  readonly memory: CallMemory;
  readonly resources: ResourceStore;
}

async function answerModelCall(options: ModelCallOptions, call: Call, body: ReadBody): Promise<void> {
  const { wire, request, response, target } = call;
  const { memory } = options;
  const thinkingOf = (callId: string): string | undefined => memory.find(wire.name, callId);
  const verdict = judgeRequest({ ...options, target, thinkingOf }, wire, request.headers, body);
  options.record(exchangeOf(call, body.type === "json" ? body.value : undefined, outcomeOf(verdict)));
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
  const answer = buildAnswer(options.scenario, verdict.cue, { wire, ...verdict });
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

type Outcome = Pick<Exchange, "status" | "problem" | "turnIndex" | "fault">;

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

function exchangeOf({ order, wire, request, path }: Call, body: unknown, outcome: Outcome): Exchange {
  const headers = redactHeaders(request.headers);
  return { order, wire: wire.name, method: request.method ?? "", path, headers, body, ...outcome };
}

function retryHeaders(fault: Extract<Fault, { type: "http" }>): Readonly<Record<string, string>> {
  return {
    ...(fault.retryAfterMs !== undefined && { "retry-after-ms": String(fault.retryAfterMs) }),
    ...(fault.retryAfter !== undefined && { "retry-after": fault.retryAfter }),
  };
}

function sendProblem(call: Call, problem: WireProblem, headers: Readonly<Record<string, string>> = {}): void {
  sendJson(call, problem.status, JSON.stringify(call.wire.renderProblem(problem, requestId(call))), headers);
}

function sendJson(call: Call, status: number, text: string, headers: Readonly<Record<string, string>> = {}): void {
  call.response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    [call.wire.requestIdHeader]: requestId(call),
    ...headers,
  });
  call.response.end(text);
}

function requestId(call: Call): string {
  return `req_rehearsal_${String(call.order).padStart(4, "0")}`;
}

/** The thinking that was sent before each tool call. */
interface CallMemory {
  remember(wire: WireName, answer: Answer): void;
  find(wire: WireName, callId: string): string | undefined;
}

function createMemory(): CallMemory {
  const thinkingOf = new Map<string, string>();
  return {
    remember(wire, answer) {
      for (const { id } of answer.calls) {
        thinkingOf.delete(memoryKey(wire, id));
        if (answer.thinking !== "") thinkingOf.set(memoryKey(wire, id), answer.thinking);
      }
      for (const oldest of thinkingOf.keys()) {
        if (thinkingOf.size <= limits.rememberedCalls) break;
        thinkingOf.delete(oldest);
      }
    },
    find: (wire, callId) => thinkingOf.get(memoryKey(wire, callId)),
  };
}

function memoryKey(wire: WireName, callId: string): string {
  return `${wire} ${callId}`;
}
