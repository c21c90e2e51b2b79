import type { IncomingHttpHeaders } from "node:http";
import type { Wire } from "../wire.ts";
import type { WireProblem } from "../wire-problem.ts";
import { checkChatRequest } from "./check-chat-request.ts";
import { chatPrompt, readChatRequest } from "./read-chat-request.ts";
import { data, renderChatCompletion, renderChatEvents } from "./render-chat.ts";

/** OpenAI's Chat Completions and what imitates it. */
export const chatWire: Wire = {
  name: "openai-chat",
  paths: ["/v1/chat/completions", "/chat/completions"],
  callIdPrefix: "call_rehearsal_",
  requestIdHeader: "x-request-id",
  claims: () => true,
  checkHeaders,
  checkBody: (body) => checkChatRequest(body),
  read: readChatRequest,
  promptOf: (body, { model }) => chatPrompt(body, model),
  renderEvents: renderChatEvents,
  renderWhole: renderChatCompletion,
  renderModels: (model) => ({
    object: "list",
    data: [{ id: model, object: "model", created: 1_767_225_600, owned_by: "rehearsal" }],
  }),
  problemOf,
  renderProblem: (problem) => ({
    error: {
      message: problem.message,
      type: problem.type,
      param: problem.param ?? null,
      code: problem.code ?? null,
    },
  }),
  renderErrorEvent: (kind = "server_error") =>
    data({ error: { message: "rehearsed error in mid-stream", type: kind, param: null, code: kind } }),
};

function checkHeaders(headers: IncomingHttpHeaders, requireKey: boolean): WireProblem | undefined {
  if (!requireKey || /^Bearer\s+\S/i.test(headers.authorization ?? "")) return undefined;
  return {
    status: 401,
    type: "invalid_request_error",
    message: "You didn't provide an API key: send it in an Authorization header as a Bearer token",
    code: "invalid_api_key",
  };
}

interface Kind {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
}

const kinds: Readonly<Record<number, Kind>> = {
  401: { type: "invalid_request_error", message: "Incorrect API key provided", code: "invalid_api_key" },
  403: { type: "invalid_request_error", message: "the key may not use this resource", code: "permission_denied" },
  404: { type: "invalid_request_error", message: "not found", code: "not_found" },
  413: { type: "invalid_request_error", message: "the request is too large", code: "request_too_large" },
  429: { type: "requests", message: "Rate limit reached", code: "rate_limit_exceeded" },
  500: { type: "server_error", message: "The server had an error while processing the request" },
  503: { type: "server_error", message: "The engine is overloaded", code: "overloaded" },
};

function problemOf(status: number, message: string | undefined): WireProblem {
  const fallback: Kind =
    status < 500
      ? { type: "invalid_request_error", message: "invalid request" }
      : { type: "server_error", message: "server error" };
  const { code, ...kind } = kinds[status] ?? fallback;
  return { status, ...kind, ...(message !== undefined && { message }), ...(code !== undefined && { code }) };
}
