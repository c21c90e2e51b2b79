import { inspect } from "node:util";
import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { failureOf, type Received, listen, messageOfFailure, provide, testKey } from "../fixtures/calls.ts";
import { replying, serve } from "../fixtures/wire-server.ts";

const json = { "content-type": "application/json" };

async function answered(status: number, headers: Readonly<Record<string, string>>, body: string): Promise<Received> {
  const server = await serve(replying(status, headers, body));
  return listen(provide("anthropic", server.url));
}

function anthropicError(type: string, message: string): string {
  return JSON.stringify({ type: "error", error: { type, message }, request_id: "req_body" });
}

test("every status says what it is and whether another try makes sense", async () => {
  for (const status of [408, 409, 429, 500, 502, 503, 529]) await checkStatus(status, { retryable: true });
  for (const status of [400, 402, 422]) await checkStatus(status, { retryable: false });
  await checkStatus(404, {
    retryable: false,
    hint: "Check the model's id (`capstan models` lists them) and the base URL.",
  });
  await checkStatus(413, {
    code: "provider.context",
    retryable: false,
    hint: "Attach less, or choose a model with a larger window (`capstan models` lists them); `capstan sessions compact` summarises what was said.",
  });
  for (const status of [401, 403])
    await checkStatus(status, { code: "provider.auth", retryable: false, hint: "Set TEST_API_KEY." });
});

async function checkStatus(status: number, expected: JsonObject): Promise<void> {
  const received = await answered(
    status,
    { ...json, "request-id": "req_head" },
    anthropicError("some_error", "Some words"),
  );
  expect(failureOf(received), `status ${status}`).toEqual({
    code: "provider.http",
    provider: "test",
    status,
    vendorCode: "some_error",
    requestId: "req_head",
    ...expected,
  });
  expect(messageOfFailure(received)).toBe(`test: answered ${status}: Some words`);
}

test("the vendor's own header about retrying wins", async () => {
  await checkHeader(429, "false", false);
  await checkHeader(400, "true", true);
  await checkHeader(500, "perhaps", true);
});

async function checkHeader(status: number, header: string, retryable: boolean): Promise<void> {
  expect(failureOf(await answered(status, { "x-should-retry": header }, ""))["retryable"]).toBe(retryable);
}

test("an empty account is not retried", async () => {
  const body = JSON.stringify({
    error: { message: "You exceeded your quota", type: "insufficient_quota", code: "insufficient_quota" },
  });
  expect(failureOf(await answered(429, json, body))).toMatchObject({
    retryable: false,
    vendorCode: "insufficient_quota",
  });
});

test("how long to wait, from every form of the hint", async () => {
  await checkWait({}, undefined);
  await checkWait({ "retry-after": "7" }, 7000);
  await checkWait({ "retry-after": "0.25" }, 250);
  await checkWait({ "retry-after": "0" }, 0);
  await checkWait({ "retry-after-ms": "1500", "retry-after": "7" }, 1500);
  await checkWait({ "retry-after-ms": "nonsense", "retry-after": "7" }, 7000);
  await checkWait({ "retry-after": "-3" }, undefined);
  await checkWait({ "retry-after": "soon" }, undefined);
  await checkWait({ date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:00:30 GMT" }, 30_000);
  await checkWait({ date: "Sat, 21 Nov 2026 10:00:00 GMT", "retry-after": "Sat, 21 Nov 2026 09:00:00 GMT" }, 0);
});

async function checkWait(headers: Readonly<Record<string, string>>, expected: unknown): Promise<void> {
  expect(failureOf(await answered(429, headers, ""))["retryAfterMs"], `case ${JSON.stringify(headers)}`).toBe(expected);
}

test("error bodies of every shape are understood", async () => {
  await checkBody("application/json", '{"error":{"message":"a","type":"t","code":"c"}}', ": a");
  await checkBody("application/json", '{"error":"a"}', ": a");
  await checkBody("application/json", '{"message":"a"}', ": a");
  await checkBody("application/json", '{"detail":"a"}', ": a");
  await checkBody("application/json", '{"detail":[{"msg":"a"},{"msg":"b"}]}', ": a; b");
  await checkBody("application/json", '[{"error":{"message":"a","status":"UNAVAILABLE"}}]', ": a");
  await checkBody(
    "text/html",
    "<html><head><title>502 Bad Gateway</title></head><body>x</body></html>",
    ": 502 Bad Gateway",
  );
  await checkBody(
    "text/html",
    "<style>p{}</style><p>Down\n\u001b[31mfor</p> <b>repair</b><script>x</script>",
    ": Down [31mfor repair",
  );
  await checkBody("text/plain", "  upstream\u0000 gone ", ": upstream gone");
  await checkBody("text/plain", "", "");
  await checkBody("text/plain", "x".repeat(100_000), `: ${"x".repeat(380)}…`);
});

async function checkBody(type: string, body: string, expected: string): Promise<void> {
  expect(messageOfFailure(await answered(500, { "content-type": type }, body)), `body ${body}`).toBe(
    `test: answered 500${expected}`,
  );
}

test("the request id is taken from the head, else from the body", async () => {
  const body = anthropicError("e", "m");
  expect(failureOf(await answered(500, { "x-request-id": "req_x" }, body))["requestId"]).toBe("req_x");
  expect(failureOf(await answered(500, {}, body))["requestId"]).toBe("req_body");
});

test("a redirect is not followed and the key not shown to its target", async () => {
  const other = await serve(replying(200, {}, ""));
  const received = await answered(307, { location: `${other.url}/v1/messages?token=abc` }, "");
  expect(failureOf(received)).toEqual({
    code: "provider.http",
    provider: "test",
    status: 307,
    retryable: false,
    hint: "Set the base URL to the address meant.",
  });
  expect(messageOfFailure(received)).toContain(`redirects to ${other.url}, which`);
  expect(other.received).toEqual([]);
});

test("no secret is in any error, however the vendor repeats it", async () => {
  const secretHeader = "hdr-secret-value-123";
  const body = anthropicError(
    "authentication_error",
    `bad key ${testKey}, sk-proj-AAAABBBBCCCC, AIzaSyA1234567890abcdefg, Bearer ${testKey} and ${secretHeader}`,
  );
  for (const [status, type] of [
    [401, "application/json"],
    [500, "text/plain"],
    [200, "application/json"],
    [200, testKey],
  ] as const) {
    const server = await serve(replying(status, { "content-type": type, "request-id": testKey }, body));
    const received = await listen(provide("anthropic", server.url, { headers: { "X-Auth-Token": secretHeader } }));
    const shown = inspect(received.error, { depth: 10 });
    expect(shown).toContain("[redacted]");
    expect(shown).not.toMatch(/0123456789abcdef|sk-proj|AIzaSy|hdr-secret/);
  }
});

test("a missing key is an error before any request, except where none is needed", async () => {
  const base = "https://192.0.2.1/v1";
  const missing = await listen(provide("anthropic", base, { name: "anthropic", apiKey: undefined }));
  expect(failureOf(missing)).toEqual({
    code: "provider.auth",
    provider: "anthropic",
    retryable: false,
    hint: "Set TEST_API_KEY.",
  });
  expect(failureOf(await listen(provide("openai-chat", base, { name: "openai-chat", apiKey: " " })))["code"]).toBe(
    "provider.auth",
  );
  const server = await serve(replying(500, {}, ""));
  await listen(provide("anthropic", server.url, { name: "anthropic", apiKey: undefined }));
  expect(server.received.map((call) => call.headers["x-api-key"])).toEqual([undefined]);
});

test("a base URL that is none is a configuration error", () => {
  for (const baseUrl of ["", "nonsense", "ftp://x/", "file:///etc"]) {
    expect(() => provide("anthropic", baseUrl)).toThrow("is not an http(s) address");
  }
});
