import { sampled, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import { endProcess, gone, isRunning } from "./stage/process-state.ts";
import { parseResult } from "./stage/read-output.ts";

const place = usePlace();

const streamJson = ["--output-format", "stream-json"];
const hangingAnswer = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };

overWires("over %s", (wire, test, slowTest) => {
  test.for(
    sampled(
      [
        ["SIGINT", "interrupted", 130],
        ["SIGTERM", "terminated", 143],
        ["SIGHUP", "terminated", 143],
      ] as const,
      1,
    ),
  )("%s while the model speaks ends the turn as %s, exit %i", async ([signal, outcome, code]) => {
    const stage = await place.rehearse(wire, [hangingAnswer]);
    const running = stage.start([...streamJson, "go"]);
    await running.stdoutMatches(/"text-delta"/);
    running.kill(signal);
    const run = await running.ended;
    expect(run.code).toBe(code);
    expect(parseResult(run)).toMatchObject({ outcome, exitCode: code, text: expect.stringMatching(/^word /) });
  });

  slowTest("what was cancelled before anything was shown is handed back, and leaves no trace", async () => {
    const stage = await place.rehearse(wire, [{ text: "hi", fault: { type: "stall", after_bytes: 0 } }]);
    const running = stage.start([...streamJson, "first words"]);
    await stage.requests(1);
    running.kill("SIGINT");
    expect(parseResult(await running.ended)).toMatchObject({ outcome: "interrupted", text: "", draft: "first words" });
    expect((await stage.run(["--continue", "second words"])).stdout).toBe("hi\n");
    expect(JSON.stringify(stage.exchanges[1]?.body)).not.toContain("first words");
  });

  const signals = [
    ["SIGINT", "interrupted", 130],
    ["SIGTERM", "terminated", 143],
  ] as const;

  test.for(sampled(signals, 1))(
    "%s while a command runs stops it, with everything it started",
    async ([signal, outcome, code]) => {
      const script = "sleep 600 & echo $! > child.pid; echo $$ > pid; echo started; wait";
      const call = { name: "run_command", arguments: { command: script } };
      const stage = await place.rehearse(wire, [{ tool_calls: [call] }, { text: "never asked" }]);
      const running = stage.start([...streamJson, "--yolo", "go"]);
      await running.stdoutMatches(/"tool-output-delta"/);
      running.kill(signal);
      const run = await running.ended;
      expect(run.code).toBe(code);
      expect(parseResult(run)).toMatchObject({ outcome, exitCode: code, toolCalls: 1 });
      expect([isRunning(place, "pid"), isRunning(place, "child.pid")]).toEqual([false, false]);
      expect(stage.exchanges).toHaveLength(1);
    },
  );

  slowTest("a cancelled turn is closed: the session continues with a request the vendor takes", async () => {
    const call = { name: "run_command", arguments: { command: "echo started; exec sleep 600" } };
    const stage = await place.rehearse(wire, [{ tool_calls: [call, call] }, { text: "here" }]);
    const running = stage.start([...streamJson, "--yolo", "go"]);
    await running.stdoutMatches(/"tool-output-delta"/);
    running.kill("SIGINT");
    await running.ended;
    expect((await stage.run(["--continue", "still there?"])).stdout).toBe("here\n");
    expect(stage.exchanges.map((exchange) => exchange.status)).toEqual([200, 200]);
  });
});

test("a command that ignores polite signals is ended all the same", async () => {
  const script = "trap '' INT TERM HUP; echo $$ > pid; echo started; while :; do sleep 1; done";
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "run_command", arguments: { command: script } }] },
  ]);
  const running = stage.start([...streamJson, "--yolo", "go"]);
  await running.stdoutMatches(/"tool-output-delta"/);
  running.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(isRunning(place, "pid")).toBe(false);
});

test("a second signal ends the process at once, with its result reported, and leaves no command behind", async () => {
  const script = "trap '' INT TERM HUP; echo $$ > pid; echo started; while :; do sleep 1; done";
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "run_command", arguments: { command: script } }] },
  ]);
  place.onClose(() => endProcess(place, "pid"));
  const running = stage.start([...streamJson, "--yolo", "go"]);
  await running.stdoutMatches(/"tool-output-delta"/);
  running.kill("SIGINT");
  await running.stdoutMatches(/"turn-ended"/);
  running.kill("SIGINT");
  const run = await running.ended;
  expect(parseResult(run)).toMatchObject({ outcome: "interrupted", exitCode: 130 });
  expect({ code: run.code, signal: run.signal }).toEqual({ code: 130, signal: null });
  await gone(place, "pid");
});

test("a reader that goes away ends the process by itself", async () => {
  const turn = { text: "word ".repeat(400), piece_bytes: 5, delay_ms: 5, repeat_text: 20 };
  const stage = await place.rehearse("anthropic", [turn]);
  const running = stage.start([...streamJson, "go"]);
  await running.stdoutMatches(/"text-delta"/);
  running.closeStdout();
  const run = await running.ended;
  expect({ code: run.code, signal: run.signal }).toEqual({ code: 143, signal: null });
  expect(run.stderr).not.toMatch(/EPIPE|at .*\.js/);
});

slowTest("a signal before the turn has begun ends the process, with a result", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  // It waits for words that do not come.
  const running = stage.start(["--output-format", "json", "--yolo"], { holdInput: true });
  await running.stderrMatches(/--yolo/);
  running.kill("SIGINT");
  const run = await running.ended;
  expect({ code: run.code, signal: run.signal }).toEqual({ code: 130, signal: null });
  expect(parseResult(run)).toMatchObject({ outcome: "interrupted", exitCode: 130 });
  expect(stage.exchanges).toEqual([]);
});
