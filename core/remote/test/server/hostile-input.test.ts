/** Whatever a client sends: an answer for every line, no crash, no hang, and the next good request is carried out. */
import { memoryEngine, runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { maxRequestsInFlight } from "../../src/limits.ts";
import { operations, serveEngine, type ServeOptions } from "../../src/index.ts";
import { connected } from "../pipe.ts";

const options: ServeOptions = {
  identity: { frontend: "test", role: "operate" },
  mayName: true,
  version: "1.2.3",
  processId: 7,
};

interface Line {
  readonly id?: string | null;
  readonly ok?: boolean;
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  readonly event?: string;
}

/** What the server sends when it receives these bytes in these pieces, and then the end. */
async function exchange(pieces: readonly (Uint8Array | string)[], lineBytes = 4096): Promise<readonly Line[]> {
  const { client, server, toServer } = connected(lineBytes);
  const served = serveEngine(memoryEngine(), server, options);
  for (const piece of pieces) toServer.writeBytes(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
  toServer.end();
  const lines: Line[] = [];
  for await (const received of client.lines) {
    if (received.type === "refused") throw new Error(received.reason);
    lines.push(JSON.parse(received.text));
  }
  await served;
  return lines;
}

const hello = '\n{"id":"last","op":"hello"}\n';

async function errorOf(line: string): Promise<Line["error"]> {
  const [first, last] = await exchange([`${line}${hello}`]);
  expect(last).toMatchObject({ id: "last", ok: true });
  return first?.error;
}

const operationIds = Object.keys(operations);
const almostRequest = fc.record(
  {
    id: fc.oneof(fc.string(), fc.constantFrom(null, 7, {}, [])),
    op: fc.oneof(fc.constantFrom(...operationIds, "__proto__", "constructor", ""), fc.jsonValue()),
    params: fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(
          "sessionId",
          "after",
          "stream",
          "submission",
          "client",
          "answer",
          "__proto__",
          "before",
          "limit",
        ),
        fc.oneof(fc.jsonValue(), fc.constantFrom("session-1", -1, 1e300, { type: "user-input" }, { type: "approve" })),
      ),
    ),
  },
  { requiredKeys: [] },
);

function isProblem(error: Line["error"]): boolean {
  return error !== undefined && error.code !== "internal.bug" && error.message.length > 0;
}

test("any bytes, cut anywhere, are answered with errors, and the connection lives on", async () => {
  const garbage = fc.oneof(
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    { weight: 3, arbitrary: almostRequest.map((value) => new TextEncoder().encode(JSON.stringify(value))) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(garbage, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 5 }), async (parts, cuts) => {
      const all = Uint8Array.from(parts.flatMap((part) => [...part, 0x0a]));
      const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).toSorted((a, b) => a - b), all.length];
      const pieces = places.slice(1).map((end, at) => all.subarray(places[at], end));
      const lines = await exchange([...pieces, hello]);
      const answers = lines.filter((line) => line.event === undefined);
      expect(answers.filter((line) => line.id === "last" && line.ok === true).length).toBeGreaterThan(0);
      expect(answers.filter(({ ok, error }) => ok !== true && !isProblem(error))).toEqual([]);
    }),
    { numRuns: runs(300) },
  );
});

test.each([
  ["nonsense", "door.schema", "no valid JSON"],
  ["[1]", "door.schema", "no JSON object"],
  ['{"id":"1"}', "door.schema", "`op` is missing"],
  ['{"id":7,"op":"hello"}', "door.schema", "`id` must be a text"],
  ['{"id":"1","op":"hello","parms":{}}', "door.schema", 'unknown field "parms"'],
  ['{"id":"1","op":"sessions.lst"}', "door.schema", 'unknown operation "sessions.lst"'],
  ['{"id":"1","op":"__proto__"}', "door.schema", "unknown operation"],
  ['{"id":"1","op":"attach","params":{"after":0}}', "door.schema", "params.sessionId"],
  ['{"id":"1","op":"attach","params":{"sessionId":"s","after":-1}}', "door.schema", "params.after"],
  ['{"id":"1","op":"attach","params":{"sessionId":"s","after":0,"x":1}}', "door.schema", 'unknown field "x"'],
  ['{"id":"1","op":"submit","params":{"sessionId":"s","submission":{"type":"no"}}}', "door.schema", "submission.type"],
  [
    '{"id":"1","op":"submit","params":{"sessionId":"s","submission":{"type":"rewind","keepTurns":1,"files":true}}}',
    "door.schema",
    "submission.conversation",
  ],
  ['{"id":"1","op":"attach","params":{"sessionId":"s","after":0}}', "session.unknown", "s"],
  ['{"op":"sessions.watch"}', "door.schema", "needs an `id`"],
])("%s is refused with code and place", async (line, code, text) => {
  expect(await errorOf(line)).toMatchObject({ code, message: expect.stringContaining(text) });
});

test("a line that nests as deep as it is long is refused, in strings it may", async () => {
  const deep = "[".repeat(2000);
  expect(await errorOf(`{"id":"1","op":"hello","params":${deep}`)).toMatchObject({
    message: "the line nests deeper than 200",
  });
  expect(await errorOf(`{"id":"1","op":"hello","params":{"user":"${deep}"}}`)).toMatchObject({
    message: expect.stringContaining("params.user"),
  });
});

test("a line that is too long is refused and the next one is read", async () => {
  const long = `{"id":"1","op":"hello","params":{"user":"${"x".repeat(5000)}"}}`;
  expect(await errorOf(long)).toMatchObject({ code: "door.schema", message: "the line has more than 4096 bytes" });
});

test("requests beyond the limit are refused while as many are under way", async () => {
  const requests = Array.from(
    { length: maxRequestsInFlight + 5 },
    (_none, at) => `{"id":"${at}","op":"sessions.list"}`,
  );
  const lines = await exchange([`${requests.join("\n")}\n`], 100_000);
  expect(lines.length).toBe(requests.length);
  const refused = lines.filter(({ ok }) => ok === false);
  expect(refused.every(({ error }) => error?.code === "door.rate")).toBe(true);
  expect(lines.filter(({ ok }) => ok === true).length).toBeGreaterThanOrEqual(maxRequestsInFlight);
});
