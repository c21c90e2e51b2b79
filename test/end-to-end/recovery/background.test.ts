import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { limited, usePlace } from "../stage/place.ts";
import { gone, isRunning } from "../stage/process-state.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

const streamJson = ["--output-format", "stream-json", "--yolo"];
const lookAgainMs = 20;

const started = "echo ran >> effects.log; echo $$ > pid; echo written; sleep 600";
const start = (command: string): object => ({
  tool_calls: [{ name: "run_command", arguments: { command, background: true } }],
});
const read = (more: object = {}): object => ({
  tool_calls: [{ name: "command_output", arguments: { id: "background-1", wait_seconds: 60, ...more } }],
});

function there(file: string): Promise<void> {
  return limited(`the file ${file}`, (resolve) => {
    const look = (): void => {
      if (place.has(file)) resolve();
      else setTimeout(look, lookAgainMs);
    };
    look();
  });
}

overWires("over %s", (wire, test) => {
  test("a background command does not outlive Capstan when it is killed; the next run says so, and what it wrote", async () => {
    const fault = { type: "stall", after_bytes: 2000 };
    const stage = await place.rehearse(wire, [
      start(started),
      read(),
      { text: "word ".repeat(100), fault },
      read(),
      { text: "here" },
    ]);
    const running = stage.start([...streamJson, "go"]);
    await running.stdoutMatches(/"text-delta"/);
    expect(isRunning(place, "pid")).toBe(true);
    running.kill("SIGKILL");
    await running.ended;
    await gone(place, "pid");
    const run = await stage.run([...streamJson, "--continue", "continue"]);
    expect({ code: run.code, problems: stage.exchanges.flatMap(({ problem }) => problem ?? []) }).toEqual({
      code: 0,
      problems: [],
    });
    const why = "ended, because Capstan was killed while it ran";
    expect(run.lines.find((line) => line.includes('"command.ended"'))).toContain(why);
    expect(JSON.stringify(stage.exchanges.at(-2)?.body)).toContain(why);
    expect(resultsOf(stage.exchanges.at(-1)).at(-1)?.text).toMatch(new RegExp(`background-1 .*${why}[^]*written`));
    expect(place.read("effects.log")).toBe("ran\n");
  });
});

slowTest("a background command ends with the run, and the next one says so", async () => {
  const stage = await place.rehearse("anthropic", [start(started), read(), { text: "done" }, { text: "more" }]);
  const first = await stage.run([...streamJson, "go"]);
  expect(first.code).toBe(0);
  await gone(place, "pid");
  const second = await stage.run([...streamJson, "--continue", "continue"]);
  expect(second.lines.find((line) => line.includes('"command.ended"'))).toContain("ended with the session");
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("ended with the session");
});

slowTest(
  "a background command soon reads nothing of a protected file that is replaced, and ends when it is asked to",
  async () => {
    place.write(".env", "KEY=very-secret\n");
    // Counts its rounds, and those since it last read something of the file.
    const loop =
      "r=0; c=0; until [ -e stop ]; do r=$((r+1)); c=$((c+1)); cat .en? 2>/dev/null && c=0; echo $r $c > next; mv next rounds; sleep 0.02; done; echo over";
    const untilClean =
      "until [ -e replaced ]; do sleep 0.02; done; read a b < rounds; r=$a; c=0; until [ $r -gt $((a + 5)) ] && [ $c -gt 5 ]; do read r c < rounds; sleep 0.02; done; touch stop";
    const beside = { tool_calls: [{ name: "run_command", arguments: { command: untilClean, writes: true } }] };
    const stage = await place.rehearse("anthropic", [
      start(loop),
      beside,
      read({ filter: "over" }),
      read(),
      { text: "done" },
    ]);
    const running = stage.start([...streamJson, "go"]);
    await there("rounds");
    // As every editor saves: another file takes the place of the protected one.
    writeFileSync(join(place.folder, "fresh"), "KEY=fresh-secret\n");
    renameSync(join(place.folder, "fresh"), join(place.workspace, ".env"));
    writeFileSync(join(place.workspace, "replaced"), "");
    const { code } = await running.ended;
    const sent = JSON.stringify(stage.exchanges.map(({ body }) => body));
    expect({ code, read: sent.includes("very-secret") }).toEqual({ code: 0, read: false });
    expect(resultsOf(stage.exchanges.at(-1)).at(-1)?.text).toContain("Exit code: 0");
  },
);
