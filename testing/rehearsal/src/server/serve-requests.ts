import type { IncomingMessage, ServerResponse } from "node:http";
import { createPromptCache } from "../cache/prompt-cache.ts";
import { allWires } from "../wires/all-wires.ts";
import { findWire } from "../wires/find-wire.ts";
import type { ResourceStore } from "../wires/wire.ts";
import { answerModelCall } from "./answer-model-call.ts";
import { answerRecorded } from "./answer-recorded.ts";
import { type Call, exchangeOf, sendJson, sendProblem } from "./call.ts";
import { createMemory } from "./call-memory.ts";
import { type ReadBody, readBody } from "./read-body.ts";
import type { ServerState } from "./server-state.ts";

export type ServeOptions = Pick<
  ServerState,
  "scenario" | "playhead" | "playback" | "checks" | "comparison" | "record" | "countTokens"
>;

/** Answers one request; resolves when its answer is over. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The server's behaviour, without its socket. */
export function serveRequests(options: ServeOptions): RequestHandler {
  const state: ServerState = {
    ...options,
    memory: createMemory(),
    resources: new Map(),
    promptCache: createPromptCache(options.countTokens),
  };
  let order = 0;
  return async (request, response) => {
    order += 1;
    const target = request.url ?? "/";
    const path = target.split("?")[0] ?? "/";
    const { wire, isModelCall } = findWire(target, request.headers);
    const call: Call = { request, response, order, path, target, wire };
    const body = await readBody(request).catch(() => undefined);
    // Without a body the client went away while sending: nobody is left to answer.
    if (body === undefined) return;
    if (await answerRecorded(state, call, body)) return;
    if (isModelCall && request.method === "POST") {
      await answerModelCall(state, call, body);
    } else if (!answerResource(state, call, body)) answerOther(state, call, isModelCall);
  };
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
function answerResource({ scenario, record, resources }: ServerState, call: Call, body: ReadBody): boolean {
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
