import type { IncomingHttpHeaders } from "node:http";
import { messageOf, ProviderError, type ProviderFailure } from "@capstan/protocol";
import { limits } from "../limits.ts";
import type { ProviderOptions } from "@capstan/ports";
import { isContextOverflow } from "./context-overflow.ts";
import { readErrorBody, type VendorError } from "./http/error-body.ts";
import { createRedactor } from "./http/redact.ts";
import { readRateLimits, usedUpMs } from "./http/rate-limits.ts";
import { retryAfterMs, waitInWords } from "./http/retry-after.ts";

/** Makes the errors of one call; every text is redacted and short. */
export interface Failures {
  /** The same, once the answer has a request id. */
  withHeaders(headers: IncomingHttpHeaders): Failures;
  missingKey(): ProviderError;
  http(status: number, headers: IncomingHttpHeaders, body: string): ProviderError;
  redirect(status: number, target: string): ProviderError;
  /** No answer began. */
  network(origin: string, cause: Error): ProviderError;
  /** The answer broke off. */
  cut(what: string, cause?: Error): ProviderError;
  /** The vendor reported an error inside an answer. */
  reported(error: VendorError, retryable: boolean): ProviderError;
  timeout(message: string): ProviderError;
  /** The answer does not follow the wire. `retryable`: it began well, so that another try may pass. */
  protocol(message: string, retryable: boolean): ProviderError;
}

type Draft = Omit<ProviderFailure, "provider" | "requestId"> & { readonly requestId?: string | undefined };

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ALTNAME/;
/** What a wrong key, header, proxy address or scheme makes Node throw: no other try will pass. */
const settingCodes = /^ERR_(INVALID|OSSL|UNESCAPED|SSL_WRONG_VERSION)/;

/** @param requestId  the vendor's id of the answer, once there is one */
export function createFailures(options: ProviderOptions, requestId?: string): Failures {
  const redact = createRedactor(options.apiKey, options.headers);
  const short = (text: string): string => cut(redact(text));
  const fail = (draft: Draft, cause?: Error): ProviderError => {
    const { requestId: own, ...rest } = draft;
    const id = own ?? requestId;
    const message = cut(redact(`${options.name}: ${draft.message}`));
    const failure: ProviderFailure = { ...rest, provider: options.name, message };
    return new ProviderError(
      id === undefined ? failure : { ...failure, requestId: short(id) },
      cause === undefined ? {} : { cause },
    );
  };
  return {
    withHeaders: (headers) => createFailures(options, requestIdOf(headers)),
    missingKey: () =>
      fail({ code: "provider.auth", message: "no API key is set", retryable: false, hint: options.keyHint }),
    http: (status, headers, body) =>
      fail(httpDraft(status, headers, readErrorBody(body), { hint: options.keyHint, short })),
    redirect: (status, target) =>
      fail({
        code: "provider.http",
        status,
        message: `answered ${status}: redirects to ${target}, which is not followed, because a key belongs to its origin`,
        retryable: false,
        hint: "Set the base URL to the address meant.",
      }),
    network: (origin, cause) => fail(networkDraft(origin, cause), named(cause, short)),
    cut: (what, cause) =>
      fail({ code: "provider.stream", message: what, retryable: true }, cause && named(cause, short)),
    reported: (error, retryable) => fail(reportedDraft(error, retryable, { hint: options.keyHint, short })),
    timeout: (message) => fail({ code: "provider.timeout", message, retryable: true }),
    protocol: (message, retryable) => fail({ code: "provider.protocol", message, retryable }),
  };
}

interface Wording {
  readonly hint: string;
  readonly short: (text: string) => string;
}

function httpDraft(status: number, headers: IncomingHttpHeaders, error: VendorError, wording: Wording): Draft {
  const { rpc } = error;
  const about = subjectOf(status === 401 || status === 403 || rpc?.keyRefused === true, error, status);
  const waitMs = waitOf(status, headers, error);
  const hint = about === "request" ? statusHint(status, error) : hintAbout(about, wording);
  return {
    code: about === "request" ? "provider.http" : `provider.${about}`,
    status,
    message: `answered ${status}${error.message === "" ? "" : `: ${error.message}`}`,
    retryable: about !== "context" && isRetryable(status, headers, error),
    ...vendorCode(error, wording),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(hint === undefined ? {} : { hint }),
    requestId: requestIdOf(headers) ?? error.requestId,
  };
}

/** How long the vendor wants to be left alone, in ms. */
function waitOf(status: number, headers: IncomingHttpHeaders, { rpc, message }: VendorError): number | undefined {
  const now = Date.now();
  const saidMs = retryAfterMs(headers, now) ?? rpc?.retryAfterMs ?? waitInWords(message);
  return saidMs ?? (status === 429 ? usedUpMs(readRateLimits(headers, now)) : undefined);
}

function vendorCode(error: VendorError, { short }: Wording): Pick<ProviderFailure, "vendorCode"> {
  const word = error.rpc?.status ?? error.code;
  return word === undefined ? {} : { vendorCode: short(word) };
}

function isRetryable(status: number, headers: IncomingHttpHeaders, error: VendorError): boolean {
  const asked = headers["x-should-retry"];
  if (asked === "true" || asked === "false") return asked === "true";
  // An empty account answers 429 as well, and no waiting fills it.
  if (error.code === "insufficient_quota" || error.rpc?.dayQuotaUsedUp === true) return false;
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** What an error is about: the key, the conversation's length, or anything else. */
function subjectOf(isAuth: boolean, error: VendorError, status?: number): "auth" | "context" | "request" {
  return isAuth ? "auth" : isContextOverflow(error, status) ? "context" : "request";
}

function hintAbout(about: "auth" | "context", { hint }: Wording): string {
  return about === "auth" ? hint : overflowHint;
}

/** For the rare case that the engine's own remedy, a shorter conversation, did not help. */
const overflowHint =
  "Attach less, or choose a model with a larger window (`capstan models` lists them); `capstan sessions compact` summarises what was said.";

function statusHint(status: number, { code, rpc }: VendorError): string | undefined {
  if (rpc?.dayQuotaUsedUp === true)
    return "The day's quota is used up: wait for the next day, or check plan and billing.";
  if (code === "insufficient_quota") return "Check plan and billing at the vendor.";
  if (status === 404) return "Check the model's id (`capstan models` lists them) and the base URL.";
  if (status === 407) return "Check the proxy's user and password.";
  return undefined;
}

function reportedDraft(error: VendorError, retryable: boolean, wording: Wording): Draft {
  const { rpc } = error;
  const waitMs = rpc?.retryAfterMs ?? waitInWords(error.message);
  const auth = error.type === "authentication_error" || error.type === "permission_error" || rpc?.keyRefused === true;
  const about = subjectOf(auth, error);
  return {
    code: about === "request" ? "provider.stream" : `provider.${about}`,
    message: `the answer ended with an error: ${error.message || error.code || "no details"}`,
    retryable: retryable && about === "request",
    ...vendorCode(error, wording),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
    ...(about === "request" ? {} : { hint: hintAbout(about, wording) }),
    requestId: error.requestId,
  };
}

function networkDraft(origin: string, cause: Error): Draft {
  const code = codeOf(cause);
  const certificate = certificateCodes.test(code);
  return {
    code: "provider.network",
    message: `cannot reach ${origin}: ${messageOf(cause) || code || "connection failed"}`,
    retryable: !certificate && !settingCodes.test(code),
    ...(code === "" ? {} : { vendorCode: code }),
    hint: certificate
      ? "The server's certificate is not trusted; configure its certificate authority."
      : "Check network, proxy and base URL.",
  };
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Causes are printed too, so they are as clean as the message. */
function named(cause: Error, short: (text: string) => string): Error {
  const clean = new Error(short(messageOf(cause)));
  clean.name = cause.name;
  return clean;
}

function requestIdOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers["request-id"] ?? headers["x-request-id"] ?? headers["apim-request-id"];
  return Array.isArray(id) ? id[0] : id;
}

function cut(text: string): string {
  return text.length <= limits.errorTextChars ? text : `${text.slice(0, limits.errorTextChars)}…`;
}
