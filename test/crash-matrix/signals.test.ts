/** Another process, a signal, and an output that nobody reads: with the real binary, in mid text and while a command runs. */
import { inTurn, sampled, slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { usePlace } from "../end-to-end/stage/place.ts";
import { endProcess, gone } from "../end-to-end/stage/process-state.ts";
import { parseResult } from "../end-to-end/stage/read-output.ts";

const place = usePlace();
const streamJson = ["--output-format", "stream-json", "--yolo", "--session-id", "matrix"];
const again = ["--output-format", "json", "--yolo", "--resume", "matrix"];
const command = "echo ran >> effects.log; echo $$ > pid; echo started; exec sleep 600";

const answers = {
  P2: { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000, times: 1 } },
  P7: { tool_calls: [{ name: "run_command", arguments: { command } }] },
} as const;
/** The same, and it keeps saying something: only then is it noticed that nobody listens. */
const talkative = {
  P2: { text: "word ".repeat(400), piece_bytes: 5, delay_ms: 5, repeat_text: 20 },
  P7: {
    tool_calls: [
      {
        name: "run_command",
        arguments: { command: "echo ran >> effects.log; echo $$ > pid; while :; do echo tick; sleep 0.02; done" },
      },
    ],
  },
} as const;
const marks = { P2: /"text-delta"/, P7: /"tool-output-delta"/ } as const;

const phases = ["P2", "P7"] as const;

describe.each(phases)("in %s", (phase) => {
  /** The fast tier tries each promise in one phase. */
  const isTried = (name: string): boolean => inTurn(phases, name).includes(phase);

  const begin = async (first: object = answers[phase]) => {
    const stage = await place.rehearse("anthropic", [first, { text: "Done." }, { text: "Spare." }, { text: "Spare." }]);
    const running = stage.start([...streamJson, "go"]);
    if (phase === "P7") place.onClose(() => endProcess(place, "pid"));
    await running.stdoutMatches(marks[phase]);
    return { stage, running };
  };

  const isWhole = async (): Promise<void> => {
    if (phase !== "P7") return;
    await gone(place, "pid");
    expect(place.read("effects.log")).toBe("ran\n");
  };

  test.runIf(isTried("words"))(
    "words from a second process wait in the first one, which is unharmed; when it is stopped, they are carried on with",
    async () => {
      const { stage, running } = await begin();
      const second = stage.start([...again, "from the second"]);
      await running.stdoutMatches(/"turn-queued"/);
      expect(stage.exchanges).toHaveLength(1);
      running.kill("SIGINT");
      expect(parseResult(await running.ended)).toMatchObject({ outcome: "interrupted", exitCode: 130 });
      const waited = await second.ended;
      expect(parseResult(waited)).toMatchObject({ outcome: "done", exitCode: 0 });
      expect(waited.stderr).toContain(`Process ${running.pid} `);
      expect(waited.stderr).toContain("Not in force there: --yolo");
      await isWhole();
      expect((await stage.run([...again, "continue"])).code).toBe(0);
      expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    },
  );

  test.runIf(isTried("signals")).for(
    sampled(
      [
        ["SIGINT", 130],
        ["SIGTERM", 143],
        ["SIGHUP", 143],
      ] as const,
      1,
    ),
  )("%s ends the turn in order, and the session continues", async ([signal, code]) => {
    const { stage, running } = await begin();
    running.kill(signal);
    expect(parseResult(await running.ended)).toMatchObject({ exitCode: code });
    await isWhole();
    expect((await stage.run([...again, "continue"])).code).toBe(0);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  });

  slowTest("nobody reads the output any more: the turn ends in order, and the session continues", async () => {
    const { stage, running } = await begin(talkative[phase]);
    running.closeStdout();
    const run = await running.ended;
    expect({ code: run.code, signal: run.signal }).toEqual({ code: 143, signal: null });
    expect(run.stderr).not.toMatch(/EPIPE|at .*\.js/);
    await isWhole();
    expect((await stage.run([...again, "continue"])).code).toBe(0);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  });
});

slowTest("a command that kills its Capstan: it dies with it, and is not run again", async () => {
  const suicide = "echo ran >> effects.log; echo $$ > pid; kill -9 $PPID; exec sleep 600";
  const call = { tool_calls: [{ name: "run_command", arguments: { command: suicide } }] };
  const stage = await place.rehearse("anthropic", [call, { text: "Done." }, { text: "Spare." }]);
  place.onClose(() => endProcess(place, "pid"));
  // In the sandbox it cannot: it does not even see its Capstan.
  const first = await stage.run([...streamJson, "--set", "sandbox.mode=off", "go"]);
  expect(first.signal).toBe("SIGKILL");
  await gone(place, "pid");
  expect((await stage.run([...again, "continue"])).code).toBe(6);
  expect((await stage.run([...again, "continue"])).code).toBe(0);
  expect(place.read("effects.log")).toBe("ran\n");
  expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
});

test("a command that removes its own directory: the turn continues, and says so", async () => {
  place.write("inner/note.txt", "hello\n");
  const call = {
    tool_calls: [{ name: "run_command", arguments: { command: "rm -rf ../inner; echo removed", cwd: "inner" } }],
  };
  const stage = await place.rehearse("anthropic", [call, { text: "Done." }]);
  const run = await stage.run([...streamJson, "go"]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", exitCode: 0 });
  expect(place.has("inner/note.txt")).toBe(false);
  expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
});
