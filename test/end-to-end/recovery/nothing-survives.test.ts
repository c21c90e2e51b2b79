import { readdirSync, readFileSync } from "node:fs";
import { sampled, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { limited, usePlace } from "../stage/place.ts";
import { gone } from "../stage/process-state.ts";
import { parseResult } from "../stage/read-output.ts";
import type { StopSignal } from "../stage/run-capstan.ts";

const place = usePlace();

/** Nothing announces the end of processes that are not ours: they are looked for. */
const lookAgainMs = 20;

/** Every way out of a process group there is without root, one that leaves every mark behind, and one that ignores a request to end. */
const command = `
echo $$ > shell; sleep 600 & echo $! > background
nohup sleep 600 > /dev/null 2>&1 & echo $! > nohup
setsid sh -c 'echo $$ > session; exec sleep 600' < /dev/null > /dev/null 2>&1 &
env -i setsid nohup /bin/sh -c 'echo $$ > naked; exec /bin/sleep 600' < /dev/null > /dev/null 2>&1 &
(setsid sh -c '(setsid sh -c "echo \\$\\$ > daemon.new; mv daemon.new daemon; exec sleep 600" &)' &)
(trap '' TERM INT HUP; echo started > deaf.up; exec sleep 600) & echo $! > deaf
until [ -s session ] && [ -s naked ] && [ -s daemon ] && [ -s deaf.up ]; do sleep 0.02; done
echo ready; sleep 600`;
const processes = ["shell", "background", "nohup", "session", "naked", "daemon", "deaf"];

const ends: readonly [string, StopSignal, number | null][] = [
  ["killed", "SIGKILL", null],
  ["interrupted", "SIGINT", 130],
  ["terminated", "SIGTERM", 143],
];

test.each(sampled(ends, 1))(
  "nothing that a command started outlives Capstan when it is %s",
  async (_how, signal, code) => {
    const stage = await place.rehearse("anthropic", [
      { tool_calls: [{ name: "run_command", arguments: { command } }] },
    ]);
    const running = stage.start(["--output-format", "stream-json", "--yolo", "go"]);
    await running.stdoutMatches(/"delta":"ready/);
    running.kill(signal);
    // Resolves at the end of its output: nobody holds it any more.
    const run = await running.ended;
    expect(run.code).toBe(code);
    for (const name of processes) await gone(place, name);
    await noSupervisorOf(running.pid);
    expect(processes.length).toBe(7);
  },
);

slowTest("nothing that a command started outlives a run that took too long", async () => {
  const stage = await place.rehearse("google", [{ tool_calls: [{ name: "run_command", arguments: { command } }] }]);
  const running = stage.start(["--output-format", "json", "--yolo", "--timeout", "1500ms", "go"]);
  const run = await running.ended;
  expect({ code: run.code, outcome: parseResult(run)["outcome"] }).toEqual({ code: 124, outcome: "timeout" });
  for (const name of processes.filter((file) => place.has(file))) await gone(place, name);
  await noSupervisorOf(running.pid);
});

/** The watcher over commands names the process it belongs to. */
function noSupervisorOf(pid: number): Promise<void> {
  return limited(`the end of the supervisor of ${pid}`, (resolve) => {
    const look = (): void => {
      if (readdirSync("/proc").some((name) => commandLine(name).includes(`capstan-supervisor-of-${pid}`)))
        setTimeout(look, lookAgainMs);
      else resolve();
    };
    look();
  });
}

function commandLine(name: string): string {
  try {
    return /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, "utf8") : "";
  } catch {
    return "";
  }
}
