import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError, type ErrorCode } from "@capstan/protocol";
import { expect, test } from "vitest";
import { parseScenario, scenarioJsonSchema } from "@capstan/rehearsal";

test("a scenario is read with every default filled in", () => {
  expect(parseScenario('{"name":"small","turns":[{"text":"hi"}]}', "small.json")).toEqual({
    name: "small",
    loop: false,
    requireKey: true,
    turns: [
      {
        thinking: "",
        text: "hi",
        toolCalls: [],
        finish: "stop",
        usage: {},
        pace: { pieceBytes: 48, firstByteDelayMs: 0, delayMs: 0 },
      },
    ],
  });
});

test("a scenario that says everything is read with nothing lost", () => {
  const file = {
    name: "full",
    description: "all fields",
    model: "m-1",
    loop: true,
    require_key: false,
    defaults: { chunk_bytes: 7, delay_ms: 1 },
    turns: [
      {
        thinking: "hm",
        text: "ab",
        repeat_text: 3,
        tool_calls: [
          { name: "f", arguments: { a: [1, null] }, id: "x" },
          { name: "g", arguments: "{broken" },
        ],
        finish: "length",
        usage: { input: 10, output: 5, cached: 3, cache_write: 2, reasoning: 1 },
        chunk_bytes: 1,
        piece_bytes: 2,
        first_byte_delay_ms: 3,
        delay_ms: 4,
        fault: { type: "http", status: 429, times: 2, retry_after_ms: 5, retry_after: "1", message: "slow" },
        expect: {
          last_user_text: "^h",
          tool_results: [{ name: "f", is_error: true, contains: "no" }, {}],
          tools: ["f"],
        },
      },
      { fault: { type: "error-event" } },
    ],
  };
  expect(parseScenario(JSON.stringify(file), "full.json")).toEqual({
    name: "full",
    description: "all fields",
    model: "m-1",
    loop: true,
    requireKey: false,
    turns: [
      {
        thinking: "hm",
        text: "ababab",
        toolCalls: [
          { name: "f", arguments: { a: [1, null] }, id: "x" },
          { name: "g", arguments: "{broken" },
        ],
        finish: "length",
        usage: { input: 10, output: 5, cached: 3, cacheWrite: 2, reasoning: 1 },
        pace: { chunkBytes: 1, pieceBytes: 2, firstByteDelayMs: 3, delayMs: 4 },
        fault: { type: "http", status: 429, times: 2, retryAfterMs: 5, retryAfter: "1", message: "slow" },
        expect: {
          lastUserText: /^h/,
          toolResults: [{ name: "f", isError: true, contains: "no" }, {}],
          tools: ["f"],
        },
      },
      {
        thinking: "",
        text: "",
        toolCalls: [],
        finish: "stop",
        usage: {},
        pace: { chunkBytes: 7, pieceBytes: 48, firstByteDelayMs: 0, delayMs: 1 },
        fault: { type: "error-event", times: 1, afterBytes: 0 },
      },
    ],
  });
});

test("a wrong scenario is refused with file, field and what was expected", () => {
  checkRefused("", /^s\.json: not valid JSON/);
  checkRefused('{\n  "name": x\n}', /^s\.json: not valid JSON: .*"name": x/);
  checkRefused('{\n  "name": "n" "turns"\n}', /^s\.json:2:15: not valid JSON/);
  checkRefused("[]", /^s\.json: the file: .*expected object/);
  checkRefused("{}", /^s\.json: name: missing .*; turns: missing/);
  checkRefused('{"name":"n","turns":[]}', /^s\.json: turns: .*>=1/);
  checkRefused('{"name":"n","turns":[{}],"turn":1}', /^s\.json: turn: unknown field/);
  checkRefused(turn({ txt: "a" }), /^s\.json: turns\[1\]\.txt: unknown field/);
  checkRefused(turn({ text: 1 }), /^s\.json: turns\[1\]\.text: .*expected string/);
  checkRefused(turn({ finish: "done" }), /^s\.json: turns\[1\]\.finish: .*"tool-calls"/);
  checkRefused(turn({ tool_calls: [{ arguments: {} }] }), /^s\.json: turns\[1\]\.tool_calls\[0\]\.name: missing/);
  checkRefused(
    turn({ tool_calls: [{ name: "f", arguments: 1 }] }),
    /turns\[1\]\.tool_calls\[0\]\.arguments: .*record.*string/,
  );
  checkRefused(turn({ fault: { type: "explode" } }), /^s\.json: turns\[1\]\.fault\.type: /);
  checkRefused(turn({ fault: { type: "cut" } }), /^s\.json: turns\[1\]\.fault\.after_bytes: missing/);
  checkRefused(turn({ fault: { type: "http", status: 200 } }), /^s\.json: turns\[1\]\.fault\.status: .*>=400/);
  checkRefused(
    turn({ fault: { type: "reset", after_bytes: 1 } }),
    /^s\.json: turns\[1\]\.fault\.after_bytes: unknown field/,
  );
  checkRefused(
    turn({ expect: { last_user_text: "(" } }),
    /^s\.json: turns\[1\]\.expect\.last_user_text: expected a regular/,
  );
  checkRefused(
    turn({ usage: { input: 1, cached: 2 } }),
    /^s\.json: turns\[1\]\.usage\.input: expected at least cached/,
  );
  checkRefused(turn({ usage: { output: 1, reasoning: 2 } }), /^s\.json: turns\[1\]\.usage\.output: expected at least/);
  checkRefused(turn({ text: "0123456789", repeat_text: 1e9 }), /^s\.json: turns\[1\]\.repeat_text: /);
  checkRefused(turn({ chunk_bytes: 0 }), /^s\.json: turns\[1\]\.chunk_bytes: /);
});

const recordingHead = '{"name":"r","turns":[],"exchanges":[]}';

function recordedLine(order: number, answer: object = {}): string {
  const whole = { status: 200, headers: {}, pieces: ["data: 1\n\n"], end: "whole", ...answer };
  return JSON.stringify({ order, wire: "anthropic", method: "POST", path: "/v1/messages", body: {}, answer: whole });
}

function orders(text: string): readonly number[] | undefined {
  return parseScenario(text, "r.json").exchanges?.map(({ order }) => order);
}

test("a recording is a scenario with a line for each exchange, whose last one may be torn", () => {
  expect(parseScenario(recordingHead, "r.json")).toEqual({
    name: "r",
    loop: false,
    requireKey: true,
    turns: [],
    exchanges: [],
  });
  expect(orders(`${recordingHead}\n`)).toEqual([]);
  // The order is that of the requests, whenever their answers ended.
  const whole = [recordingHead, recordedLine(2), recordedLine(1), ""].join("\n");
  expect(orders(whole)).toEqual([1, 2]);
  for (let end = recordingHead.length; end <= whole.length; end += 1) {
    const lines = whole.slice(0, end).split("\n").slice(1);
    const complete = [recordedLine(2), recordedLine(1)].filter((line) => lines.includes(line));
    expect(orders(whole.slice(0, end))?.length).toBe(complete.length);
  }
  const document = { name: "r", turns: [{ text: "a" }], exchanges: [JSON.parse(recordedLine(1))] };
  expect(orders(JSON.stringify(document, undefined, 2))).toEqual([1]);
});

test("a wrong recording is refused with file, line and field", () => {
  checkRefused([recordingHead, recordedLine(1, { status: 99 }), ""].join("\n"), /^s\.json:2: answer\.status: /);
  checkRefused([recordingHead, recordedLine(1), "{}", ""].join("\n"), /^s\.json:3: order: missing/);
  checkRefused(
    [recordingHead, recordedLine(1).slice(0, -9), recordedLine(2)].join("\n"),
    /^s\.json:2.*: not valid JSON/,
  );
  checkRefused([recordingHead, recordedLine(1, { end: "torn" }), ""].join("\n"), /^s\.json:2: answer\.end: /);
  checkRefused('{"name":"n","turns":[]}', /exchanges/);
});

test("the scenario that comes with the package is valid", () => {
  const path = join(import.meta.dirname, "../../scenarios/read-search-edit.json");
  expect(parseScenario(readFileSync(path, "utf8"), path).turns.length).toBe(6);
});

test("the JSON Schema is plain JSON that names every field of a turn", () => {
  const schema = scenarioJsonSchema();
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
  expect(schema).toMatchObject({
    type: "object",
    required: ["name", "turns"],
    additionalProperties: false,
    properties: { turns: { items: { properties: { thinking: { type: "string" }, fault: {}, expect: {} } } } },
  });
});

function checkRefused(text: string, message: RegExp): void {
  const error = caught(() => parseScenario(text, "s.json"));
  expect({ code: error.code, message: error.message }).toEqual({
    code: "rehearsal.scenario" satisfies ErrorCode,
    message: expect.stringMatching(message),
  });
}

function turn(fields: object): string {
  return JSON.stringify({ name: "n", turns: [{ text: "first" }, fields] });
}

function caught(action: () => unknown): AppError {
  try {
    action();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("nothing was refused");
}
