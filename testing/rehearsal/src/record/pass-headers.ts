import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** Headers of one connection, not of the message (RFC 9110, 7.6.1), and what the next connection says for itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Of a request, what this server says that is new. Answers should come uncompressed. */
const requestHeaders: ReadonlySet<string> = new Set(["host", "content-length", "accept-encoding", "expect"]);

/** What a request takes along to the endpoint. */
export function requestHeadersFor(headers: IncomingHttpHeaders, sizeBytes: number): OutgoingHttpHeaders {
  const passed = withoutOwn(headers).filter(([name]) => !requestHeaders.has(name));
  const hasBody =
    sizeBytes > 0 || headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return {
    ...Object.fromEntries(passed),
    "accept-encoding": "identity",
    ...(hasBody && { "content-length": String(sizeBytes) }),
  };
}

/** What an answer brings back to the client. Not its length: whoever counts bytes would have the whole before it is recorded. */
export function answerHeadersFor(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(withoutOwn(headers).filter(([name]) => name !== "content-length"));
}

/** What of an answer's headers is recorded: what clients act on. No cookie, no account, no organization. */
const recordedNames =
  /^(?:content-type|cache-control|retry-after(?:-ms)?|x-should-retry|(?:x-)?request-id|openai-(?:model|version|processing-ms)|.*ratelimit.*)$/;

export function recordedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && recordedNames.test(name) ? [[name, String(value)]] : [],
    ),
  );
}

function withoutOwn(headers: IncomingHttpHeaders): readonly (readonly [string, string | string[]])[] {
  const named = (headers.connection ?? "").toLowerCase().split(/\s*,\s*/);
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ownHeaders.has(name) || named.includes(name) ? [] : [[name, value] as const],
  );
}
