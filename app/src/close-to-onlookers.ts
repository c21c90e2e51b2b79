/**
 * Shuts what would let others look into the memory of this process, where keys are: the debugger, which Node opens on SIGUSR1
 * or by a flag, and reports, which hold the environment. `CAPSTAN_INSPECT=1` leaves the debugger open, for work on Capstan.
 * Not in its power: core dumps (`ulimit -c 0`), heap snapshots by flags of Node's, and what happens before it is called.
 */
export async function closeToOnlookers(): Promise<void> {
  const { report } = process;
  report.reportOnFatalError = false;
  report.reportOnUncaughtException = false;
  report.reportOnSignal = false;
  if (process.env["CAPSTAN_INSPECT"] === "1") return;
  // With a listener, the signal does nothing else.
  process.on("SIGUSR1", () => undefined);
  if (!asksForDebugger()) return;
  const { close } = await import("node:inspector");
  close();
  process.stderr.write("capstan: the debugger stays closed, since keys could be read through it.\n");
}

function asksForDebugger(): boolean {
  return [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].some((words) => words.includes("--inspect"));
}
