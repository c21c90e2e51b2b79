import type { Vendor } from "../talk.ts";

interface ErrorRequest {
  readonly words?: string;
  readonly emptyAccount?: boolean;
  readonly keyRefused?: boolean;
  /** Gemini's hint in the body. */
  readonly retryDelay?: string;
}

/** The body of an error answer in the vendor's own shape. */
export function errorBody(vendor: Vendor, status: number, request: ErrorRequest): string {
  const { words = "Some words", emptyAccount = false } = request;
  switch (vendor) {
    case "anthropic":
      return JSON.stringify({ type: "error", error: { type: anthropicType(status), message: words } });
    case "openai":
    case "openai-chat": {
      const type = emptyAccount ? "insufficient_quota" : status < 500 ? "invalid_request_error" : "server_error";
      return JSON.stringify({ error: { message: words, type, code: type, param: null } });
    }
    default:
      return JSON.stringify({
        error: { code: status, message: words, status: googleStatus(status), details: googleDetails(request) },
      });
  }
}

/** An error in the middle of an answer: one that may pass at another try, or one that will not. */
export function errorEvent(vendor: Vendor, kind: "passing" | "final"): string {
  const status = kind === "passing" ? 503 : 400;
  const body = errorBody(vendor, status, { words: kind === "passing" ? "Overloaded" : "Not valid" });
  switch (vendor) {
    case "anthropic":
      return `event: error\ndata: ${body}\n\n`;
    case "openai": {
      const code = kind === "passing" ? "server_error" : "invalid_prompt";
      return `event: error\ndata: ${JSON.stringify({ type: "error", code, message: "Some words", param: null })}\n\n`;
    }
    default:
      return `data: ${body}\n\n`;
  }
}

function anthropicType(status: number): string {
  const types: Readonly<Record<number, string>> = {
    401: "authentication_error",
    403: "permission_error",
    429: "rate_limit_error",
    500: "api_error",
    503: "overloaded_error",
    529: "overloaded_error",
  };
  return types[status] ?? "invalid_request_error";
}

function googleStatus(status: number): string {
  const words: Readonly<Record<number, string>> = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    529: "UNAVAILABLE",
  };
  return words[status] ?? "INVALID_ARGUMENT";
}

function googleDetails({ emptyAccount, keyRefused, retryDelay }: ErrorRequest): readonly object[] {
  const type = "type.googleapis.com/google.rpc.";
  return [
    ...(emptyAccount === true
      ? [{ "@type": `${type}QuotaFailure`, violations: [{ quotaId: "GenerateRequestsPerDayPerProject" }] }]
      : []),
    ...(keyRefused === true ? [{ "@type": `${type}ErrorInfo`, reason: "API_KEY_INVALID" }] : []),
    ...(retryDelay === undefined ? [] : [{ "@type": `${type}RetryInfo`, retryDelay }]),
  ];
}
