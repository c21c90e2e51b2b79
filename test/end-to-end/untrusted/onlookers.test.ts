import { spawn } from "node:child_process";
import { slowTest } from "@capstan/testkit";
import { inject } from "vitest";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";

const place = usePlace();

/** Starts a run that waits for its model, and returns what stderr says once the signal has been sent and the run has ended. */
async function afterSignal(env: Readonly<Record<string, string>>): Promise<string> {
  const stage = await place.rehearse("anthropic", [{ text: "never", fault: { type: "stall", after_bytes: 10 } }]);
  const child = spawn(
    process.execPath,
    [inject("capstanEntry"), "run", "-m", "anthropic/rehearsal", "--timeout", "3s", "go"],
    {
      cwd: place.workspace,
      env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, CAPSTAN_HOME: place.data, ...stage.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => {
    stderr += bytes.toString("utf8");
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  await stage.requests(1);
  child.kill("SIGUSR1");
  await ended;
  return stderr;
}

slowTest("SIGUSR1 opens no debugger, and does not end the run", async () => {
  const stderr = await afterSignal({});
  expect(stderr).not.toMatch(/Debugger listening/);
  expect(stderr).toMatch(/timed out|time/);
});

slowTest("the test would see a debugger that opens", async () => {
  expect(await afterSignal({ CAPSTAN_INSPECT: "1" })).toMatch(/Debugger listening|address already in use/);
});

test("a debugger asked for by a flag is closed again", async () => {
  const run = await place.run(["tools", "list"], { env: { NODE_OPTIONS: "--inspect=127.0.0.1:0" } });
  expect(run.code).toBe(0);
  expect(run.stderr).toMatch(/the debugger stays closed/);
});
