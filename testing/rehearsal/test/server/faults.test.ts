import { afterEach, expect, test } from "vitest";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { anthropicBody, anthropicHeaders, askAnthropic, askChat, call, type RawAnswer } from "../raw-client.ts";

let running: Rehearsal | undefined;
afterEach(() => running?.close());

const text = "0123456789 ü ".repeat(40);

async function rehearse(turn: object): Promise<Rehearsal> {
  const file = JSON.stringify({ name: "fault", turns: [{ text, ...turn }] });
  running = await startRehearsal({ scenario: parseScenario(file, "fault.json") });
  return running;
}

/** Meets a fault, then asks again: the turn must be served whole then. */
async function meet(
  fault: object,
  ask = askAnthropic,
): Promise<{ readonly met: RawAnswer; readonly whole: RawAnswer }> {
  const { url, unused } = await rehearse({ fault });
  const met = await ask(url);
  expect(unused()).toBe(1);
  const whole = await ask(url);
  expect({ status: whole.status, end: whole.end, unused: unused() }).toEqual({ status: 200, end: "whole", unused: 0 });
  await running?.close();
  return { met, whole };
}

test("an http fault answers in the vendor's shape, with its hints, as often as configured", async () => {
  const { url, unused } = await rehearse({
    fault: { type: "http", status: 429, times: 2, retry_after_ms: 7, retry_after: "1" },
  });
  for (const order of [1, 2]) {
    const answer = await askAnthropic(url);
    expect(answer).toMatchObject({
      status: 429,
      end: "whole",
      headers: { "retry-after-ms": "7", "retry-after": "1", "request-id": `req_rehearsal_000${order}` },
    });
    expect(JSON.parse(answer.text)).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "the request would exceed the rate limit" },
      request_id: `req_rehearsal_000${order}`,
    });
  }
  expect(unused()).toBe(1);
  expect((await askAnthropic(url)).status).toBe(200);
});

test("each status has the vendor's error type", async () => {
  await checkStatus(400, "invalid_request_error", "invalid_request_error");
  await checkStatus(401, "authentication_error", "invalid_request_error");
  await checkStatus(403, "permission_error", "invalid_request_error");
  await checkStatus(413, "request_too_large", "invalid_request_error");
  await checkStatus(429, "rate_limit_error", "requests");
  await checkStatus(500, "api_error", "server_error");
  await checkStatus(503, "api_error", "server_error");
  await checkStatus(529, "overloaded_error", "server_error");
});

test("a cut sends exactly what it was asked to, then breaks the connection", async () => {
  for (const afterBytes of [0, 1, 500]) {
    const { met, whole } = await meet({ type: "cut", after_bytes: afterBytes });
    expect(met.end).toBe("broken");
    expect(met.bytes).toEqual(whole.bytes.subarray(0, afterBytes));
  }
});

test("an early end looks clean to HTTP and lacks the wire's own end", async () => {
  const { met, whole } = await meet({ type: "end", after_bytes: 600 }, askChat);
  expect(met.end).toBe("whole");
  expect(met.bytes).toEqual(whole.bytes.subarray(0, 600));
  expect([met.text.includes("[DONE]"), whole.text.endsWith("data: [DONE]\n\n")]).toEqual([false, true]);
});

test("a stall sends its bytes and then nothing, until the client leaves", async () => {
  const { url, unused } = await rehearse({ fault: { type: "stall", after_bytes: 300 } });
  const answer = await call(`${url}/v1/messages`, {
    headers: anthropicHeaders,
    body: anthropicBody,
    leaveAfter: (received) => received >= 300,
  });
  expect({ end: answer.end, received: answer.bytes.length }).toEqual({ end: "broken", received: 300 });
  expect((await askAnthropic(url)).end).toBe("whole");
  expect(unused()).toBe(0);
});

test("closing the server ends a stall", async () => {
  const { url, close } = await rehearse({ fault: { type: "stall", after_bytes: 10 } });
  const answer = await call(`${url}/v1/messages`, {
    headers: anthropicHeaders,
    body: anthropicBody,
    leaveAfter: () => {
      void close();
      return false;
    },
  });
  expect(answer.end).toBe("broken");
});

test("garbage breaks an event wherever it falls, and the stream continues to its end", async () => {
  for (const afterBytes of [0, 333, 700]) {
    const { met, whole } = await meet({ type: "garbage", after_bytes: afterBytes }, askChat);
    expect(met.end).toBe("whole");
    expect(met.bytes.length).toBeGreaterThan(whole.bytes.length);
    expect(met.bytes.subarray(0, afterBytes)).toEqual(whole.bytes.subarray(0, afterBytes));
    expect(met.text.endsWith("data: [DONE]\n\n")).toBe(true);
    const events = met.text.split("\n\n").filter((event) => event.startsWith("data: {"));
    expect(events.some((event) => !isJson(event.slice("data: ".length)))).toBe(true);
  }
});

test("an error event comes after whole events, and nothing after it", async () => {
  const { met, whole } = await meet({ type: "error-event", after_bytes: 700, kind: "api_error" });
  const [error, ...before] = met.text.split("\n\n").filter(Boolean).toReversed();
  expect(error).toMatch(/^event: error\ndata: \{"type":"error","error":\{"type":"api_error",/);
  expect(whole.text.startsWith(before.toReversed().join("\n\n"))).toBe(true);
  const { met: early } = await meet({ type: "error-event" });
  expect(early.text).toMatch(/^event: message_start\n.*\n\nevent: error\n.*\n\n$/);
});

test("a reset gives no answer at all", async () => {
  const { met } = await meet({ type: "reset" });
  expect(met.end).toBe("refused");
});

test("a fault of an answer that does not stream breaks its JSON", async () => {
  const { url } = await rehearse({ fault: { type: "end", after_bytes: 40 } });
  const answer = await askAnthropic(url, { ...anthropicBody, stream: false });
  expect({ end: answer.end, json: isJson(answer.text), length: answer.bytes.length }).toEqual({
    end: "whole",
    json: false,
    length: 40,
  });
});

test("malformed arguments and half surrogates go out as the scenario has them", async () => {
  const { url } = await rehearse({ text: "a\ud800b", tool_calls: [{ name: "f", arguments: '{"a": tru' }] });
  const { text: sent } = await askChat(url);
  expect(sent).toContain(String.raw`"content":"a\ud800b"`);
  expect(sent).toContain(String.raw`"arguments":"{\"a\": tru"`);
});

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}

async function checkStatus(status: number, anthropicType: string, chatType: string): Promise<void> {
  const fault = { type: "http", status, message: "reported" };
  const { met: anthropic } = await meet(fault);
  const { met: chat } = await meet(fault, askChat);
  expect([anthropic.status, chat.status]).toEqual([status, status]);
  expect(JSON.parse(anthropic.text)).toMatchObject({ error: { type: anthropicType, message: "reported" } });
  expect(JSON.parse(chat.text)).toMatchObject({ error: { type: chatType, message: "reported", param: null } });
}
