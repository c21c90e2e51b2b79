/** A process that runs a program, says when it has started, and then ends itself at once. Argument: the mark of its run. */
import { writeSync } from "node:fs";
import { runProcess } from "../../src/run-command/run-process.ts";

const [runId = ""] = process.argv.slice(2);

await runProcess({
  file: "/bin/sh",
  args: ["-c", "sleep 300 & trap '' HUP TERM; echo ready; while :; do sleep 1; done"],
  cwd: "/",
  environment: { PATH: "/usr/bin:/bin", CAPSTAN_RUN: runId },
  timeoutMs: 300_000,
  signal: new AbortController().signal,
  onData: () => {
    writeSync(1, "started\n");
    process.exit(7);
  },
});
