import { sampled, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";
import { resultsOf } from "./stage/read-request.ts";

const place = usePlace();
const json = ["--output-format", "json"];
const read = (id?: string): object => ({ name: "read_file", arguments: { path: "note.txt" }, ...(id && { id }) });

overWires("over %s, the vendor takes every later request after", (wire, test, slowTest) => {
  test.for(
    sampled(
      [
        ["an empty answer", { text: "" }, 0],
        ["an answer of white space", { text: " \n\t " }, 0],
        ["nothing but thinking", { thinking: "hm" }, 0],
        ["thinking and white space", { thinking: "hm", text: "\n" }, 0],
        ["a refusal", { text: "I would rather not.", finish: "refusal" }, 1],
        ["a filtered answer", { text: "half a", finish: "content-filter" }, 1],
        ["a cut answer", { text: "half a", finish: "length" }, 4],
        ["a cut answer without words", { thinking: "hm", finish: "length" }, 4],
        ["an answer with half characters", { text: "a \uD83C b \uDF89 c" }, 0],
        ["an answer with control characters", { text: "a\u0000b\u0007c\uFFFE\uFEFF" }, 0],
      ] as const,
      1,
    ),
  )("%s", async ([, turn, code]) => {
    const stage = await place.rehearse(wire, [turn, { text: "second" }]);
    const run = await stage.run([...json, "first"]);
    expect(run.code).toBe(code);
    const next = await stage.run([...json, "--continue", "second"]);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect(parseResult(next)).toMatchObject({ outcome: "done", text: "second" });
  });

  test.for(
    sampled(
      [
        ["the same id twice in one answer", [read("same"), read("same")]],
        ["ids with odd characters", [read("call 1/ä.b:c"), read("\u2028")]],
        ["a very long id", [read("x".repeat(500))]],
        ["ids that differ only after the limit", [read(`${"x".repeat(80)}a`), read(`${"x".repeat(80)}b`)]],
        ["a name with odd characters", [{ name: "read file/ä", arguments: {} }]],
        ["a very long name", [{ name: "x".repeat(300), arguments: {} }]],
      ] as const,
      1,
    ),
  )("calls with %s", async ([, calls]) => {
    place.write("note.txt", "hello\n");
    const stage = await place.rehearse(wire, [{ tool_calls: calls }, { text: "first" }, { text: "second" }]);
    expect((await stage.run(["go"])).stdout).toBe("first\n");
    expect((await stage.run(["--continue", "again"])).stdout).toBe("second\n");
    expect(resultsOf(stage.exchanges[1])).toHaveLength(calls.length);
  });

  slowTest("the same ids in answer after answer", async () => {
    place.write("note.txt", "hello\n");
    const other = { name: "glob", arguments: { pattern: "*" }, id: "call_0" };
    const turns = [{ tool_calls: [read("call_0")] }, { tool_calls: [other] }, { text: "first" }];
    const stage = await place.rehearse(wire, [...turns, { tool_calls: [read("call_0")] }, { text: "second" }]);
    expect((await stage.run(["go"])).stdout).toBe("first\n");
    expect((await stage.run(["--continue", "again"])).stdout).toBe("second\n");
  });

  test("results with bytes that are no text, no output at all, or megabytes of it", async () => {
    const calls = [
      String.raw`printf 'a\377\376\000b\033[31m\n'`,
      "true",
      "exit 7",
      "kill -9 $$",
      "yes 'a long line of output' | head -c 3000000",
    ].map((command) => ({ name: "run_command", arguments: { command } }));
    const stage = await place.rehearse(wire, [{ tool_calls: calls }, { text: "seen" }]);
    expect((await stage.run(["--yolo", "go"])).stdout).toBe("seen\n");
    const results = resultsOf(stage.exchanges[1]);
    expect(results.map((result) => result.text.trim() !== "")).toEqual(calls.map(() => true));
    expect(results[2]?.text).toContain("7");
    expect(Buffer.byteLength(results[4]?.text ?? "")).toBeLessThan(150_000);
  });
});

slowTest("a refusal without words is no success", async () => {
  const stage = await place.rehearse("anthropic", [{ finish: "refusal" }, { text: "second" }]);
  expect((await stage.run(["first"])).code).toBe(1);
  expect((await stage.run(["--continue", "second"])).stdout).toBe("second\n");
});

test("a paused answer is asked to continue", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "Wait: ", finish: "pause" }, { text: "there it is." }]);
  const run = await stage.run([...json, "go"]);
  expect({ outcome: parseResult(run)["outcome"], requests: stage.exchanges.length }).toEqual({
    outcome: "done",
    requests: 2,
  });
});
