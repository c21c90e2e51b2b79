import type { IncomingHttpHeaders } from "node:http";
import type { Wire } from "../wire.ts";
import type { WireProblem } from "../wire-problem.ts";
import { anthropicPrompt } from "./anthropic-prompt.ts";
import { checkAnthropicRequest, strictVersion } from "./check-anthropic-request.ts";
import { readAnthropicRequest } from "./read-anthropic-request.ts";
import { event, renderAnthropicEvents, renderAnthropicMessage } from "./render-anthropic.ts";

const oldestVersion = "2023-06-01";
const knownVersions: readonly string[] = [oldestVersion, strictVersion];

/** Anthropic Messages. */
export const anthropicWire: Wire = {
  name: "anthropic",
  paths: ["/v1/messages"],
  callIdPrefix: "toolu_rehearsal_",
  requestIdHeader: "request-id",
  claims: (headers) => headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined,
  checkHeaders,
  checkBody: (body, headers, thinkingOf, { foreignSignatures = false }) =>
    checkAnthropicRequest(body, { version: versionOf(headers) ?? oldestVersion, thinkingOf, foreignSignatures }),
  read: readAnthropicRequest,
  promptOf: (body, { model }) => anthropicPrompt(body, model),
  renderEvents: renderAnthropicEvents,
  renderWhole: renderAnthropicMessage,
  renderModels: (model) => ({
    data: [{ type: "model", id: model, display_name: `${model} (rehearsal)`, created_at: "2026-01-01T00:00:00Z" }],
    first_id: model,
    last_id: model,
    has_more: false,
  }),
  problemOf,
  renderProblem: (problem, requestId) => ({
    type: "error",
    error: { type: problem.type, message: problem.message },
    request_id: requestId,
  }),
  renderErrorEvent: (kind = "overloaded_error") =>
    event({ type: "error", error: { type: kind, message: "rehearsed error in mid-stream" } }),
};

function checkHeaders(headers: IncomingHttpHeaders, requireKey: boolean): WireProblem | undefined {
  const key = headers["x-api-key"]?.toString().trim() ?? "";
  if (requireKey && key === "" && !/^Bearer\s+\S/i.test(headers.authorization ?? "")) {
    return { status: 401, type: "authentication_error", message: "x-api-key header is required" };
  }
  const version = versionOf(headers);
  if (version === undefined) {
    return { status: 400, type: "invalid_request_error", message: "anthropic-version: header is required" };
  }
  if (knownVersions.includes(version)) return undefined;
  return {
    status: 400,
    type: "invalid_request_error",
    message: `anthropic-version: "${version}" is not a valid version`,
  };
}

function versionOf(headers: IncomingHttpHeaders): string | undefined {
  return headers["anthropic-version"]?.toString();
}

const errorTypes: Readonly<Record<number, { readonly type: string; readonly message: string }>> = {
  401: { type: "authentication_error", message: "invalid x-api-key" },
  402: { type: "billing_error", message: "a payment is due" },
  403: { type: "permission_error", message: "the key may not use this resource" },
  404: { type: "not_found_error", message: "not found" },
  413: { type: "request_too_large", message: "the request exceeds the maximum size" },
  429: { type: "rate_limit_error", message: "the request would exceed the rate limit" },
  504: { type: "timeout_error", message: "the request took too long" },
  529: { type: "overloaded_error", message: "Overloaded" },
};

function problemOf(status: number, message: string | undefined): WireProblem {
  const known = errorTypes[status];
  const type = known?.type ?? (status < 500 ? "invalid_request_error" : "api_error");
  return { status, type, message: message ?? known?.message ?? (status < 500 ? "invalid request" : "internal error") };
}
