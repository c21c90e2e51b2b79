import { everywhere, type LivePhase, type MatrixFault, type MatrixTest, shown } from "./crash-matrix-cell.ts";
import {
  badInput,
  cannotWrite,
  checks,
  diskFaults,
  ends,
  endsThrice,
  inspected,
  isHeld,
  jumps,
  killed,
  killedAnywhere,
  leases,
  losesPower,
  processEnds,
  recovers,
  reviewEnds,
  signals,
  simulation,
  supervisor,
  survives,
  together,
  wakesUp,
} from "./crash-matrix-tests.ts";

/** What is promised of a phase whatever ends the process in it. */
const afterDeath: Readonly<Record<LivePhase, string>> = {
  P1: "a",
  P2: "b",
  P3: "c",
  P4: "d",
  P5: "e",
  P6: "f",
  P7: "g",
  P8: "g",
  P9: "h",
  P10: "i",
};

/** Phases that the binary can be stopped in from outside: it has nobody to ask, and compacts only when asked to. */
const ofTheBinary: ReadonlySet<LivePhase> = new Set(["P1", "P2", "P3", "P4", "P6", "P7", "P8", "P9"]);

function ownTests(phase: LivePhase): readonly MatrixTest[] {
  switch (phase) {
    case "P2":
      return [killed("while the model speaks: the session continues with a request the vendor takes")];
    case "P4":
    case "P6":
    case "P9":
      return [killedAnywhere("line %i: every later request is valid, and no effect happens twice")];
    case "P7":
      return [
        killed("while a command runs: it is not run again, and by default the run ends as outcome unknown"),
        supervisor("killed at any instant: nothing runs on, and what is found out is what happened"),
      ];
    case "P8":
      return [supervisor("killed at any instant: nothing runs on, and what is found out is what happened")];
    default:
      return [];
  }
}

const withReaction = (phase: LivePhase): string => `l+${afterDeath[phase]}`;

export const processFaults: readonly MatrixFault[] = [
  {
    fault: "SIGKILL",
    cells: everywhere(
      (phase) =>
        shown(
          afterDeath[phase],
          ends(phase),
          ...(ofTheBinary.has(phase) ? [processEnds(phase)] : []),
          ...ownTests(phase),
        ),
      shown(afterDeath.P5, ...reviewEnds),
    ),
  },
  {
    fault: "The power fails: what was not flushed is lost",
    note: "A cut in the middle of a write or a flush is SQLite's to survive; that it is asked to is shown by the kills inside `pwrite64` and `fsync`.",
    cells: everywhere((phase) =>
      shown(
        afterDeath[phase],
        losesPower(phase),
        survives("a process killed in write or flush number %i loses nothing acknowledged, and its chain holds"),
        simulation("no schedule of words, cancels, timers, kills and restarts breaks an invariant"),
      ),
    ),
  },
  {
    fault: "SIGKILL again, three times, while the session recovers",
    cells: everywhere((phase) =>
      shown(
        afterDeath[phase],
        endsThrice(phase),
        recovers(
          "killed at append %i, %s it: the next process continues to the end, and no effect runs twice",
          "before",
        ),
      ),
    ),
  },
  {
    fault: "The process ends by itself: no more memory, an unhandled rejection",
    note: "As SIGKILL. Capstan has no worker threads.",
    cells: everywhere((phase) =>
      shown(
        afterDeath[phase],
        ends(phase),
        ...(phase === "P2" || phase === "P7"
          ? [processEnds(phase, "an unhandled rejection"), processEnds(phase, "no more memory")]
          : []),
      ),
    ),
  },
];

export const storageFaults: readonly MatrixFault[] = [
  {
    fault: "No space, no inodes, no quota",
    note: "There is no reserve for the result of a command that runs on: it is stopped, and is then a call of unknown outcome.",
    cells: everywhere((phase) =>
      shown(
        withReaction(phase),
        cannotWrite(phase, "storage.full"),
        survives(
          "a disk that fails for a while ($call) stores each record once, and the store continues",
          "ENOSPC",
          "EDQUOT",
        ),
        survives("a full disk is storage.full, everything before stays, and with room again the session continues"),
        ...(phase === "P2"
          ? [badInput("a full disk: the run ends with its result, and the session continues when there is room again")]
          : []),
        ...(phase === "P1"
          ? [
              diskFaults(
                "a disk without room for one more file is storage.full at opening, and no half-made database is left behind",
              ),
            ]
          : []),
      ),
    ),
  },
  {
    fault: "EIO on write, flush or read",
    cells: everywhere((phase) =>
      shown(
        withReaction(phase),
        cannotWrite(phase, "storage.failed"),
        survives("a disk that fails for a while ($call) stores each record once, and the store continues", "EIO"),
        diskFaults("a disk that cannot be read for a moment loses nothing"),
      ),
    ),
  },
  {
    fault: "The database is locked: for a moment, forever",
    note: "Whoever writes waits for some seconds first; a session that gave up is opened again.",
    cells: everywhere((phase) =>
      shown(
        withReaction(phase),
        cannotWrite(phase, "session.busy"),
        diskFaults("a database locked forever is session.busy for whoever writes, and nothing for whoever reads"),
        together("six runs at once in one home, each with a session of its own, all succeed"),
      ),
    ),
  },
  {
    fault: "The database is removed, replaced, cut short or damaged while it is open",
    note: "The store reports what it finds; the session does with that what it does with every error of its journal.",
    cells: everywhere((phase) =>
      shown(
        withReaction(phase),
        cannotWrite(phase, "storage.failed"),
        diskFaults("a file that was removed while open continues when it is back"),
        diskFaults(
          "a file put in place of an open one is noticed, is not mixed with the old log, and is used from then on",
        ),
        diskFaults("a file cut to %i bytes while it is open is storage.corrupt, and continues when its bytes are back"),
        checks("check finds %s"),
        inspected("of a journal on damaged pages, what comes before them is saved, and is what was written"),
      ),
    ),
  },
  {
    fault: "A disk made read-only, no file descriptors, no permission",
    cells: everywhere((phase) =>
      shown(
        withReaction(phase),
        cannotWrite(phase, "storage.failed"),
        survives("a disk that fails for a while ($call) stores each record once, and the store continues", "EROFS"),
        diskFaults(
          "a disk made read-only is storage.unavailable at opening, and everything is there when it is writable",
        ),
        diskFaults("a process out of file descriptors keeps the store it has open, and cannot open another"),
      ),
    ),
  },
];

export const neighbourFaults: readonly MatrixFault[] = [
  {
    fault: "A second process on the same session",
    cells: everywhere((phase) =>
      shown(
        "s",
        isHeld(phase),
        wakesUp(phase),
        leases("an owner that was stopped, and wakes up after a takeover, appends nothing and learns by whom"),
        ...(phase === "P2" || phase === "P7"
          ? [
              signals(
                "words from a second process wait in the first one, which is unharmed; when it is stopped, they are carried on with",
                phase,
              ),
            ]
          : []),
      ),
    ),
  },
  {
    fault: "The clock jumps by a year, forth or back",
    note: "Leases count from the machine's boot, delays and time limits by a clock that nobody sets. Nothing expires by the calendar.",
    cells: everywhere((phase) => shown("t", jumps(phase))),
  },
];
