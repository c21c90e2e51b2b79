import { expect } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { endProcess } from "./stage/process-state.ts";
import { parseResult } from "./stage/read-output.ts";
import { resultsOf } from "./stage/read-request.ts";

const place = usePlace();

const streamJson = ["--output-format", "stream-json"];
const json = ["--output-format", "json"];

overWires("over %s, killed without warning", (wire, test, slowTest) => {
  test("while the model speaks: the session continues with a request the vendor takes", async () => {
    const fault = { type: "stall", after_bytes: 2000 };
    const stage = await place.rehearse(wire, [{ text: "word ".repeat(100), fault }, { text: "here" }]);
    const running = stage.start([...streamJson, "go"]);
    await running.stdoutMatches(/"text-delta"/);
    running.kill("SIGKILL");
    await running.ended;
    const run = await stage.run([...json, "--continue", "continue"]);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect(parseResult(run)["outcome"]).toBe("done");
  });

  slowTest(
    "in a second turn: the list says that it was interrupted, and done after it was carried to its end",
    async () => {
      const fault = { type: "stall", after_bytes: 2000 };
      const stage = await place.rehearse(wire, [
        { text: "first" },
        { text: "word ".repeat(100), fault },
        { text: "second" },
        { text: "third" },
      ]);
      const listed = async (): Promise<unknown> => (await place.run(["sessions", "list"])).stdout;
      await stage.run([...json, "go"]);
      expect(await listed()).toMatch(/ {2}done {2}/);
      const running = stage.start([...streamJson, "--continue", "again"]);
      await running.stdoutMatches(/"text-delta"/);
      expect(await listed()).toMatch(/ {2}running {2}/);
      running.kill("SIGKILL");
      await running.ended;
      expect(await listed()).toMatch(/ {2}interrupted {2}/);
      await stage.run([...json, "--continue", "continue"]);
      expect(await listed()).toMatch(/ {2}done {2}/);
    },
  );

  slowTest("while tools read: they read again, and every call has its answer", async () => {
    for (let index = 0; index < 40; index += 1)
      place.write(`big/${index}.txt`, "needle in a haystack\n".repeat(20_000));
    const search = { name: "search", arguments: { pattern: "n.*e.*y.*k$", max_results: 5 } };
    const stage = await place.rehearse(wire, [
      { tool_calls: [search, { name: "glob", arguments: { pattern: "big/1*.txt" } }] },
      { text: "found" },
      { text: "here" },
    ]);
    const running = stage.start([...streamJson, "go"]);
    await running.stdoutMatches(/"tool-started"/);
    running.kill("SIGKILL");
    await running.ended;
    const run = await stage.run([...json, "--continue", "continue"]);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect({ code: run.code, outcome: parseResult(run)["outcome"] }).toEqual({ code: 0, outcome: "done" });
    expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("continue");
  });

  const effect = {
    name: "run_command",
    arguments: { command: "echo ran >> effects.log; echo $$ > pid; echo started; exec sleep 600" },
  };

  test("while a command runs: it is not run again, and by default the run ends as outcome unknown", async () => {
    const stage = await place.rehearse(wire, [{ tool_calls: [effect] }, { text: "here" }, { text: "there" }]);
    const running = stage.start([...streamJson, "--yolo", "go"]);
    place.onClose(() => endProcess(place, "pid"));
    await running.stdoutMatches(/"tool-output-delta"/);
    running.kill("SIGKILL");
    await running.ended;
    const run = await stage.run([...json, "--yolo", "--continue", "continue"]);
    expect(run.code).toBe(6);
    expect(parseResult(run)).toMatchObject({
      outcome: "outcome-unknown",
      exitCode: 6,
      toolCalls: 1,
      draft: "continue",
      error: { message: expect.stringContaining("echo ran") },
    });
    expect(stage.exchanges).toHaveLength(1);
    expect(place.read("effects.log")).toBe("ran\n");
    const next = await stage.run([...json, "--yolo", "--continue", "continue"]);
    expect(parseResult(next)).toMatchObject({ outcome: "done", text: "here" });
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect(place.read("effects.log")).toBe("ran\n");
  });

  slowTest("--on-unknown tell-model: the model is informed that nobody knows, and continues", async () => {
    const stage = await place.rehearse(wire, [{ tool_calls: [effect] }, { text: "I will check." }, { text: "there" }]);
    const running = stage.start([...streamJson, "--yolo", "go"]);
    place.onClose(() => endProcess(place, "pid"));
    await running.stdoutMatches(/"tool-output-delta"/);
    running.kill("SIGKILL");
    await running.ended;
    const run = await stage.run([...json, "--yolo", "--continue", "--on-unknown", "tell-model", "continue"]);
    expect({ code: run.code, outcome: parseResult(run)["outcome"] }).toEqual({ code: 0, outcome: "done" });
    expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("not known whether it took effect");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    expect(place.read("effects.log")).toBe("ran\n");
  });

  slowTest(
    "a call that was decided on and starts only now is named with its target, and so is the one in doubt",
    async () => {
      const next = { name: "run_command", arguments: { command: "echo second >> effects.log" } };
      const stage = await place.rehearse(wire, [
        { tool_calls: [effect, next] },
        { text: "I will check." },
        { text: "there" },
      ]);
      const running = stage.start([...streamJson, "--yolo", "go"]);
      place.onClose(() => endProcess(place, "pid"));
      await running.stdoutMatches(/"tool-output-delta"/);
      running.kill("SIGKILL");
      await running.ended;
      const run = await stage.run(["--yolo", "--continue", "--on-unknown", "tell-model", "continue"]);
      const lines = run.stderr.split("\n");
      expect(lines.filter((line) => line.startsWith("▸"))).toEqual([expect.stringContaining("echo second")]);
      expect(lines.filter((line) => line.startsWith("  ✗ unknown"))).toEqual([expect.stringContaining("echo ran")]);
      expect(run.stderr).not.toContain("a tool call");
      expect(place.read("effects.log")).toBe("ran\nsecond\n");
    },
  );
});
