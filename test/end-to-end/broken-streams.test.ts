import { sampled } from "@capstan/testkit";
import { expect } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { type Stage, type WireName, usePlace } from "./stage/place.ts";
import { linesOf, parseResult } from "./stage/read-output.ts";

const place = usePlace();

const text = "One. Two — drei, 四. 🎉 Five, six and seven: that is the whole answer.";
const whole = { text, usage: { input: 100, output: 20 }, piece_bytes: 7 };

overWires("over %s", (wire, test, slowTest) => {
  slowTest("2 MB in 40-byte pieces, cut at arbitrary bytes, arrive byte for byte", async () => {
    const sentence = "Grüße aus Köln — 漢字かな交じり文 🎉👩‍👩‍👧 and plain words.\n";
    const times = Math.ceil((2 * 1024 * 1024) / Buffer.byteLength(sentence));
    const turn = { text: sentence, repeat_text: times, piece_bytes: 40, chunk_bytes: 4093 };
    const run = await (await place.rehearse(wire, [turn])).run(["write a lot"]);
    expect(run.code).toBe(0);
    // Not `toBe`: two megabytes in a failure's message help nobody.
    expect(run.stdout === sentence.repeat(times)).toBe(true);
  });

  slowTest.for([1, 2, 3, 5, 40])("an answer in writes of %i bytes arrives whole", async (bytes) => {
    const run = await (await place.rehearse(wire, [{ ...whole, chunk_bytes: bytes }])).run(["go"]);
    expect(run.stdout).toBe(`${text}\n`);
  });

  // Near its end an answer may be whole already: Gemini's last event says so, and nothing needs to follow it.
  const breaks = [0, 1, 0.2, 0.5, 0.7].flatMap((at) =>
    (["cut", "end"] as const).map((type) => ({ type, at }) as const),
  );

  test.for(sampled(breaks, 1))("a stream that breaks ($type at $at) is made again, and shown once", async (fault) => {
    const stage = await broken(wire, fault, 1);
    const run = await stage.run(["--output-format", "stream-json", "go"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", exitCode: 0, text, modelCalls: 1 });
    expect(stage.exchanges).toHaveLength(2);
    expect(linesOf(run, "step-retrying")).toHaveLength(1);
    expect(linesOf(run, "step-completed")).toHaveLength(1);
  });

  slowTest.for(breaks)("a stream that never gets whole ($type at $at) is a failure", async (fault) => {
    const stage = await broken(wire, fault, 2);
    const run = await stage.run(["--output-format", "json", "--set", "retry.max_attempts=2", "please"]);
    expect(run.code).toBe(5);
    expect(parseResult(run)).toMatchObject({ outcome: "provider-failed", exitCode: 5, draft: "please" });
    expect(stage.exchanges).toHaveLength(2);
  });

  slowTest("whatever the place of the cut near the end, a success has the whole text", async () => {
    const lengthBytes = await wholeLength(wire);
    const runs = await Promise.all(
      [1, 2, 3, 15, 40, 90].map(async (missing) => {
        const fault = { type: "end", after_bytes: lengthBytes - missing, times: 1 };
        const stage = await place.rehearse(wire, [{ ...whole, fault }]);
        return parseResult(await stage.run(["--output-format", "json", "go"]));
      }),
    );
    expect(runs.map((result) => [result["outcome"], result["text"]])).toEqual(runs.map(() => ["done", text]));
  });

  test("silence in mid-stream is given up and made again", async () => {
    const stage = await place.rehearse(wire, [{ ...whole, fault: { type: "stall", after_bytes: 400 } }]);
    const run = await stage.run(["--set", "network.idle_timeout_seconds=0.3", "go"]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: `${text}\n` });
    expect(stage.exchanges).toHaveLength(2);
  });

  test.for(
    sampled(
      [
        { type: "http", status: 429, retry_after_ms: 3, times: 2 },
        { type: "http", status: 408 },
        { type: "http", status: 500 },
        { type: "http", status: 503, retry_after: "0" },
        { type: "http", status: 529, times: 3 },
        { type: "reset", times: 2 },
        { type: "error-event", after_bytes: 500 },
      ],
      2,
    ),
  )("%j is tried again", async (fault) => {
    const stage = await place.rehearse(wire, [{ ...whole, fault }]);
    const run = await stage.run(["go"]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: `${text}\n` });
    expect(stage.exchanges).toHaveLength((fault.times ?? 1) + 1);
  });

  test("attempts run out: the provider failed, with its status, its request and what to do", async () => {
    const stage = await place.rehearse(wire, [{ ...whole, fault: { type: "http", status: 529, times: 100 } }]);
    const run = await stage.run(["--output-format", "json", "--set", "retry.max_attempts=3", "please"]);
    expect(run.code).toBe(5);
    expect(parseResult(run)).toMatchObject({
      outcome: "provider-failed",
      draft: "please",
      text: "",
      error: { code: "provider.http", failure: { status: 529, retryable: true } },
    });
    expect(stage.exchanges).toHaveLength(3);
  });

  test.for(sampled([400, 401, 403, 404], 1))("status %i is not tried again", async (status) => {
    const stage = await place.rehearse(wire, [{ ...whole, fault: { type: "http", status, times: 100 } }]);
    const run = await stage.run(["--output-format", "json", "please"]);
    expect(run.code).toBe(5);
    expect(parseResult(run)).toMatchObject({ outcome: "provider-failed", draft: "please" });
    expect(stage.exchanges).toHaveLength(1);
  });

  test("a request to wait longer than the limit ends the run instead", async () => {
    const fault = { type: "http", status: 429, retry_after: "3600", times: 100 };
    const stage = await place.rehearse(wire, [{ ...whole, fault }]);
    expect((await stage.run(["go"])).code).toBe(5);
    expect(stage.exchanges).toHaveLength(1);
  });

  test("a call in an answer that broke off is not run, wherever it broke off", async () => {
    const turn = {
      ...whole,
      tool_calls: [{ name: "write_file", arguments: { path: "made.txt", content: "made\n" } }],
    };
    const runs = sampled([0.7, 0.4, 0.85, 0.95], 1).map(async (part) => {
      const after = Math.floor((await wholeLength(wire, turn)) * part);
      const stage = await place.rehearse(wire, [{ ...turn, fault: { type: "cut", after_bytes: after, times: 2 } }]);
      return (await stage.run(["--yolo", "--set", "retry.max_attempts=2", "go"])).code;
    });
    expect(await Promise.all(runs)).toEqual(runs.map(() => 5));
    expect(place.has("made.txt")).toBe(false);
  });

  test("a failed first turn leaves no trace: the next one starts over", async () => {
    const stage = await place.rehearse(wire, [{ ...whole, fault: { type: "http", status: 500, times: 1 } }]);
    expect((await stage.run(["--set", "retry.max_attempts=1", "first words"])).code).toBe(5);
    expect((await stage.run(["--continue", "second words"])).code).toBe(0);
    expect(JSON.stringify(stage.exchanges[1]?.body)).not.toContain("first words");
  });
});

interface Break {
  readonly type: "cut" | "end";
  /** Bytes when 0 or 1, else a part of the whole. */
  readonly at: number;
}

async function broken(wire: WireName, { type, at }: Break, times: number): Promise<Stage> {
  const after = at <= 1 && !Number.isInteger(at) ? Math.floor((await wholeLength(wire)) * at) : at;
  return place.rehearse(wire, [{ ...whole, fault: { type, after_bytes: after, times } }]);
}

/** The answer's size on the wire, asked for as any client would. */
async function wholeLength(wire: WireName, turn: object = whole): Promise<number> {
  const stage = await place.rehearse(wire, [turn]);
  const base = Object.entries(stage.env).find(([name]) => name.endsWith("BASE_URL"))?.[1] ?? "";
  const { path, headers, body } = plainRequests[wire];
  const response = await fetch(`${base}${path}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.arrayBuffer()).byteLength;
}

const messages = [{ role: "user", content: "go" }];
const bearer = { authorization: "Bearer rehearsal" };
const plainRequests = {
  anthropic: {
    path: "/v1/messages",
    headers: { "x-api-key": "rehearsal", "anthropic-version": "2023-06-01" },
    body: { model: "rehearsal", max_tokens: 1000, stream: true, messages },
  },
  "openai-responses": {
    path: "/responses",
    headers: bearer,
    body: { model: "rehearsal", stream: true, store: false, input: messages },
  },
  "openai-chat": {
    path: "/chat/completions",
    headers: bearer,
    body: { model: "rehearsal", stream: true, stream_options: { include_usage: true }, messages },
  },
  google: {
    path: "/v1beta/models/rehearsal:streamGenerateContent?alt=sse",
    headers: { "x-goog-api-key": "rehearsal" },
    body: { contents: [{ role: "user", parts: [{ text: "go" }] }] },
  },
} as const;
