import type { LivePhase, MatrixTest } from "./crash-matrix-cell.ts";

type Maker = (title: string, ...of: readonly string[]) => MatrixTest;

function inFile(file: string): Maker {
  return (title, ...of) => (of.length === 0 ? { file, title } : { file, title, of });
}

const dies = inFile("test/crash-matrix/dies.test.ts");
const storage = inFile("test/crash-matrix/storage.test.ts");
const neighbours = inFile("test/crash-matrix/neighbours.test.ts");
const stops = inFile("test/crash-matrix/stops.test.ts");
const summaries = inFile("test/crash-matrix/compaction.test.ts");
const processes = inFile("test/crash-matrix/processes.test.ts");

/** Tests that go through the phases, for one of them. */
export const ends = (phase: LivePhase): MatrixTest =>
  dies("the process ends: the next one continues as promised, and nothing happens twice", phase);
export const endsThrice = (phase: LivePhase): MatrixTest =>
  dies(
    "the process ends, and the next three end while they recover: the fifth continues, and nothing happens twice",
    phase,
  );
export const losesPower = (phase: LivePhase): MatrixTest =>
  dies("the power fails: what was flushed is there, the next process continues, and nothing happens twice", phase);
export const cannotWrite = (phase: LivePhase, code: "storage.full" | "storage.failed" | "session.busy"): MatrixTest =>
  storage(
    "$phase, $code: the session stops and says so, keeps what was acknowledged, and continues once the cause is gone",
    phase,
    code,
  );
export const isHeld = (phase: LivePhase): MatrixTest =>
  neighbours("a second process is shown who holds the session, and the first one is unharmed", phase);
export const wakesUp = (phase: LivePhase): MatrixTest =>
  neighbours(
    "a process that was stopped, and wakes up after another has taken over, writes and does nothing more",
    phase,
  );
export const jumps = (phase: LivePhase): MatrixTest =>
  neighbours("a calendar that jumps by %i year changes nothing, alive or between two processes", phase);
export const isStopped = (phase: LivePhase): MatrixTest =>
  stops("in %s it ends what runs, answers every call, and the session continues", phase);

/** The real binary, which ends in this phase in this way. */
export const processEnds = (phase: LivePhase, ending = "SIGKILL"): MatrixTest =>
  processes("the process ends in $phase, by $ending: the session continues, and nothing happens twice", phase, ending);

export const summaryFails = (fault: string): readonly MatrixTest[] => [
  summaries("%s, once: the summary is asked for again, and nothing of the first one is used", fault),
  summaries("%s, again and again: it is given up, and the history stays as it was", fault),
];

/** A plan waits, or was just approved. */
const reviews = inFile("core/engine/test/turn/interactions/plan-review.test.ts");
export const reviewEnds: readonly MatrixTest[] = [
  reviews("killed anywhere before the answer, the question waits, and its answer counts once"),
  ...["proceed", "proceed-clean"].map((decision) =>
    reviews("%s: killed after any record, the session carries the plan out once, before what waits in line", decision),
  ),
];

export const dyingInArguments = inFile("test/crash-matrix/arguments.test.ts");
export const signals = inFile("test/crash-matrix/signals.test.ts");
export const cancelled = inFile("test/end-to-end/cancel.test.ts");
export const killed = inFile("test/end-to-end/killed.test.ts");
export const killedAnywhere = inFile("test/end-to-end/killed-anywhere.test.ts");
export const badInput = inFile("test/end-to-end/bad-input.test.ts");
export const limits = inFile("test/end-to-end/limits.test.ts");
export const oddAnswers = inFile("test/end-to-end/odd-answers.test.ts");
export const brokenStreams = inFile("test/end-to-end/broken-streams.test.ts");
export const together = inFile("test/end-to-end/together.test.ts");
export const cancelledCalls = inFile("test/four-wires/cancel.test.ts");
export const refused = inFile("test/four-wires/faults/refusals.test.ts");
export const brokenAnswers = inFile("test/four-wires/faults/broken-answers.test.ts");
export const harmlessAnswers = inFile("test/four-wires/faults/odd-answers.test.ts");
export const largeArgument = inFile("test/four-wires/faults/large-argument.test.ts");
export const survives = inFile("adapters/storage/test/sqlite/survives.test.ts");
export const diskFaults = inFile("adapters/storage/test/sqlite/faults.test.ts");
export const checks = inFile("adapters/storage/test/sqlite/check.test.ts");
export const inspected = inFile("adapters/storage/test/sqlite/inspect-database.test.ts");
export const leases = inFile("adapters/storage/test/sqlite/lease.test.ts");
export const recovers = inFile("core/runtime/test/recover.test.ts");
export const fromStreaming = inFile("core/engine/test/operation/from-streaming.test.ts");
export const approvals = inFile("core/engine/test/turn/tool-loop/approvals.test.ts");
export const openBatch = inFile("core/engine/test/turn/tool-loop/open-batch.test.ts");
export const compaction = inFile("core/engine/test/operation/compaction.test.ts");
export const exchange = inFile("adapters/providers/test/shared/exchange.test.ts");
export const proxy = inFile("adapters/providers/test/shared/proxy.test.ts");
export const anthropicReader = inFile("adapters/providers/test/anthropic/anthropic-reader.test.ts");
export const anthropicOracle = inFile("adapters/providers/test/anthropic/anthropic-oracle.test.ts");
export const runCommand = inFile("adapters/tools/test/run-command/run-command.test.ts");
export const nothingSurvives = inFile("adapters/tools/test/run-command/nothing-survives.test.ts");
export const supervisor = inFile("adapters/tools/test/run-command/supervisor/killed.test.ts");
export const simulation = inFile("test/torture/simulation.test.ts");
