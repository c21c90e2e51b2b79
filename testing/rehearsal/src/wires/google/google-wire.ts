import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "@capstan/protocol";
import type { Wire } from "../wire.ts";
import type { WireProblem } from "../wire-problem.ts";
import { contentsIn, findCachedContent, keepRecordedContent, serveCachedContents } from "./cached-contents.ts";
import { checkGoogleRequest } from "./check-google-request.ts";
import { googlePrompt, readGoogleRequest, readTarget } from "./read-google-request.ts";
import { data, renderGoogleEvents, renderGoogleResponse } from "./render-google.ts";

/** Gemini's generateContent. */
export const googleWire: Wire = {
  name: "google",
  paths: ["/v1beta/models/{model}:streamGenerateContent?alt=sse"],
  owns: (target) => readTarget(target) !== undefined,
  callIdPrefix: "call_rehearsal_",
  requestIdHeader: "x-request-id",
  claims: (headers) => headers["x-goog-api-key"] !== undefined || headers["x-goog-api-client"] !== undefined,
  checkHeaders,
  checkBody: (body, _headers, thinkingOf, place) => {
    const { foreignSignatures = false } = place;
    const model = readTarget(place.target)?.model ?? "";
    return checkGoogleRequest(body, {
      model,
      thinkingOf,
      foreignSignatures,
      cachedContents: (name) => contentsIn(name, place.resources),
    });
  },
  read: (body, place) => {
    const name: unknown = body instanceof Object ? Reflect.get(body, "cachedContent") : undefined;
    const cached = typeof name === "string" ? findCachedContent(name, place.resources) : undefined;
    return readGoogleRequest(body, place.target, cached?.tools);
  },
  promptOf: (body, { model }) => googlePrompt(body, model),
  renderEvents: renderGoogleEvents,
  renderWhole: renderGoogleResponse,
  renderModels: (model) => ({
    models: [
      {
        name: `models/${model}`,
        displayName: `${model} (rehearsal)`,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ["generateContent", "createCachedContent"],
      },
    ],
  }),
  serveResource: serveCachedContents,
  keepRecorded: keepRecordedContent,
  problemOf,
  renderProblem: (problem) => ({
    error: {
      code: problem.status,
      message: problem.message,
      status: problem.type,
      ...(problem.param === undefined ? {} : { details: [violation(problem.param, problem.message)] }),
    },
  }),
  renderErrorEvent: (kind = "UNAVAILABLE") => {
    const code = Object.entries(words).find(([, { type }]) => type === kind)?.[0] ?? "503";
    return data({ error: { code: Number(code), message: "rehearsed error in mid-stream", status: kind } });
  },
};

function checkHeaders(headers: IncomingHttpHeaders, requireKey: boolean): WireProblem | undefined {
  const key = headers["x-goog-api-key"]?.toString().trim() ?? "";
  if (!requireKey || key !== "" || /^Bearer\s+\S/i.test(headers.authorization ?? "")) return undefined;
  return {
    status: 403,
    type: "PERMISSION_DENIED",
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  };
}

function violation(field: string, description: string): JsonObject {
  return { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description }] };
}

const words: Readonly<Record<number, { readonly type: string; readonly message: string }>> = {
  400: { type: "INVALID_ARGUMENT", message: "Request contains an invalid argument." },
  401: { type: "UNAUTHENTICATED", message: "Request had invalid authentication credentials." },
  403: { type: "PERMISSION_DENIED", message: "The caller does not have permission" },
  404: { type: "NOT_FOUND", message: "Requested entity was not found." },
  409: { type: "ABORTED", message: "The operation was aborted." },
  429: { type: "RESOURCE_EXHAUSTED", message: "Resource has been exhausted (e.g. check quota)." },
  499: { type: "CANCELLED", message: "The operation was cancelled." },
  500: { type: "INTERNAL", message: "An internal error has occurred." },
  503: { type: "UNAVAILABLE", message: "The model is overloaded. Please try again later." },
  504: { type: "DEADLINE_EXCEEDED", message: "Deadline expired before operation could complete." },
};

function problemOf(status: number, message: string | undefined): WireProblem {
  const known = words[status] ?? words[status < 500 ? 400 : 500];
  const { type = "UNKNOWN", message: usual = "" } = known ?? {};
  return { status, type, message: message ?? usual };
}
