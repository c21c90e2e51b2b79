import { sampled } from "@capstan/testkit";
import { expect } from "vitest";
import { onAnyWire } from "./stage/over-wires.ts";
import { models, usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";
import { resultsOf } from "./stage/read-request.ts";

const place = usePlace();

const json = ["--output-format", "json"];

const step = (path: string): object => ({
  tool_calls: [{ name: "write_file", arguments: { path, content: "x\n" } }],
});

onAnyWire("over %s", (wire, test, slowTest) => {
  test("--max-turns: so many model calls and no more, and what was done stays", async () => {
    const stage = await place.rehearse(wire, [step("a.txt"), step("b.txt"), step("c.txt")]);
    const run = await stage.run([...json, "--yolo", "--max-turns", "2", "go"]);
    expect(run.code).toBe(4);
    expect(parseResult(run)).toMatchObject({
      outcome: "limit-reached",
      modelCalls: 2,
      filesChanged: [{ path: "a.txt" }, { path: "b.txt" }],
    });
    expect(stage.exchanges).toHaveLength(2);
    expect(place.has("c.txt")).toBe(false);
  });

  slowTest("after a limit the session continues", async () => {
    const write = { name: "write_file", arguments: { path: "a.txt", content: "x\n" } };
    const stage = await place.rehearse(wire, [{ tool_calls: [write] }, { text: "done" }]);
    expect((await stage.run(["--yolo", "--max-turns", "1", "go"])).code).toBe(4);
    expect((await stage.run(["--continue", "continue"])).stdout).toBe("done\n");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  });

  slowTest(
    "a model that repeats one call after three notices is stopped, and the next turn begins at none",
    async () => {
      const read = { tool_calls: [{ name: "read_file", arguments: { path: "note.txt" } }] };
      place.write("note.txt", "hello\n");
      const stage = await place.rehearse(wire, [...Array.from({ length: 5 }, () => read), read, { text: "done" }]);
      const run = await stage.run([...json, "go"]);
      expect(run.code).toBe(4);
      expect(parseResult(run)).toMatchObject({
        outcome: "loop-detected",
        modelCalls: 5,
        error: { message: "the model made the same call 5 times in a row" },
      });
      expect((await stage.run(["--continue", "continue"])).stdout).toBe("done\n");
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    },
  );

  slowTest("money: a turn that would cost more than allowed stops", async () => {
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    place.write("note.txt", "hello\n");
    const usage = { input: 1_000_000, output: 10 };
    const stage = await place.rehearse(wire, [{ tool_calls: [read], usage }, { text: "never asked" }]);
    const prices = ["price_input=1", "price_output=1"].flatMap((price) => [
      "--set",
      `models."${models[wire]}".${price}`,
    ]);
    const run = await stage.run([...json, ...prices, "--max-budget-usd", "0.5", "go"]);
    expect(run.code).toBe(4);
    expect(parseResult(run)).toMatchObject({ outcome: "limit-reached", costUsd: expect.closeTo(1, 2) });
    expect(stage.exchanges).toHaveLength(1);
  });

  slowTest("the same call for the third time in a row is answered, not run", async () => {
    const again = { tool_calls: [{ name: "run_command", arguments: { command: "echo x >> log.txt" } }] };
    const stage = await place.rehearse(wire, [again, again, again, { text: "enough" }]);
    expect((await stage.run(["--yolo", "go"])).code).toBe(0);
    expect(place.read("log.txt")).toBe("x\nx\n");
    expect(resultsOf(stage.exchanges[3])[0]?.text).toContain("third time");
  });

  test("--timeout ends a turn whose model hangs", async () => {
    const stage = await place.rehearse(wire, [{ text: "never", fault: { type: "stall", after_bytes: 10 } }]);
    const run = await stage.run([...json, "--timeout", "400ms", "go"]);
    expect(run.code).toBe(124);
    expect(parseResult(run)).toMatchObject({ outcome: "timeout", exitCode: 124, draft: "go" });
  });

  test("--timeout ends a turn whose command hangs, and the command with it", async () => {
    const hang = { name: "run_command", arguments: { argv: ["sleep", "600"] } };
    const stage = await place.rehearse(wire, [{ tool_calls: [hang] }]);
    const run = await stage.run([...json, "--yolo", "--timeout", "1s", "go"]);
    expect(run.code).toBe(124);
    expect(parseResult(run)).toMatchObject({ outcome: "timeout" });
  });

  slowTest("an answer that hits the output limit is no success", async () => {
    const stage = await place.rehearse(wire, [{ text: "half of the ans", finish: "length" }]);
    const run = await stage.run([...json, "go"]);
    expect(run.code).toBe(4);
    expect(parseResult(run)).toMatchObject({ outcome: "limit-reached", text: "half of the ans" });
  });

  test("calls of an answer that hit the output limit are answered, never run", async () => {
    const calls = ["a.txt", "b.txt"].map((path) => ({ name: "write_file", arguments: { path, content: "x" } }));
    const stage = await place.rehearse(wire, [{ tool_calls: calls, finish: "length" }, { text: "again, shorter" }]);
    await stage.run([...json, "--yolo", "go"]);
    expect([place.has("a.txt"), place.has("b.txt")]).toEqual([false, false]);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    const results = resultsOf(stage.exchanges[1]).map((result) => result.text);
    expect(results).toEqual([expect.stringContaining("Not run"), expect.stringContaining("Not run")]);
  });

  test.for(
    sampled(
      [
        '{"path": "a.txt", "content": "x',
        "",
        "null",
        '["a.txt"]',
        '{"path": 7, "content": "x"}',
        '{"path": "a.txt", "content": "x", "extra": 1}',
        '{"path": "a.txt"} trailing',
      ],
      2,
    ),
  )("arguments %j are answered with what is wrong, never run", async (text) => {
    const call = { name: "write_file", arguments: text };
    const stage = await place.rehearse(wire, [{ tool_calls: [call] }, { text: "sorry" }]);
    const run = await stage.run([...json, "--yolo", "go"]);
    expect(parseResult(run)).toMatchObject({ outcome: "done", text: "sorry", filesChanged: [] });
    expect(place.has("a.txt")).toBe(false);
    expect(resultsOf(stage.exchanges[1])).toHaveLength(1);
  });

  slowTest("a tool nobody offered is answered", async () => {
    const stage = await place.rehearse(wire, [{ tool_calls: [{ name: "launch", arguments: {} }] }, { text: "oh" }]);
    expect((await stage.run(["--yolo", "go"])).stdout).toBe("oh\n");
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("launch");
  });

  slowTest("of 70 calls in one answer 64 run, and the others are asked to come again", async () => {
    const calls = Array.from({ length: 70 }, (_, index) => ({
      name: "write_file",
      arguments: { path: `file-${index}.txt`, content: "x\n" },
    }));
    const stage = await place.rehearse(wire, [{ tool_calls: calls }, { text: "done" }]);
    expect((await stage.run(["--yolo", "go"])).code).toBe(0);
    const made = calls.map((call) => place.has(call.arguments.path));
    expect(made).toEqual(calls.map((_, index) => index < 64));
    const refused = resultsOf(stage.exchanges[1]).map((result) => result.text.startsWith("Not run"));
    expect(refused).toEqual(calls.map((_, index) => index >= 64));
  });
});
