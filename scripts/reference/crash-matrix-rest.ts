import { everywhere, livePhases, type MatrixCell, type MatrixFault, notBuilt, shown } from "./crash-matrix-cell.ts";
import {
  approvals,
  badInput,
  cancelled,
  cancelledCalls,
  isStopped,
  limits,
  nothingSurvives,
  oddAnswers,
  processEnds,
  runCommand,
  signals,
} from "./crash-matrix-tests.ts";

export const toolFaults: readonly MatrixFault[] = [
  {
    fault: "A command that never ends, ignores TERM, is stopped",
    note: "One that waits inside the kernel forever cannot be made here, and nothing can end it.",
    cells: {
      P7: shown(
        "p",
        runCommand("a child that ignores TERM is killed at the time-out, and its output kept"),
        nothingSurvives("a stopped command"),
        limits("--timeout ends a turn whose command hangs, and the command with it"),
        cancelled("a command that ignores polite signals is ended all the same"),
      ),
    },
  },
  {
    fault: "A command that leaves daemons, holds its output open, keeps starting others",
    cells: {
      P7: shown(
        "p",
        nothingSurvives("one %s", "that keeps starting others"),
        nothingSurvives("a daemon %s", "that forked twice"),
        nothingSurvives("a command at its time-out takes its daemons with it"),
        runCommand("a background process that keeps the pipes open neither holds the call nor survives it"),
      ),
    },
  },
  {
    fault: "Output without end, without lines, that is no text; pipes closed early",
    cells: {
      P7: shown("q", runCommand("200 MB pass through flat memory, counted to the byte")),
      P8: shown(
        "q",
        oddAnswers("results with bytes that are no text, no output at all, or megabytes of it"),
        runCommand("a background process that writes without end is cut off"),
      ),
    },
  },
  {
    fault: "A command that removes its directory, fills the disk, kills its Capstan",
    cells: {
      P7: shown(
        "g/l",
        signals("a command that removes its own directory: the turn continues, and says so"),
        signals("a command that kills its Capstan: it dies with it, and is not run again"),
        badInput("a full disk: the run ends with its result, and the session continues when there is room again"),
      ),
      P8: shown(
        "g",
        processEnds("P8"),
        signals("a command that kills its Capstan: it dies with it, and is not run again"),
      ),
      P9: shown("h", processEnds("P9")),
    },
  },
];

export const stopFaults: readonly MatrixFault[] = [
  {
    fault: "SIGTERM, SIGINT once and twice, SIGHUP, an output that nobody reads, a long sleep",
    note: "Each of them becomes one request to stop. A process that slept is one that was stopped: it continues while it still holds its session.",
    cells: everywhere((phase) => {
      const stop = isStopped(phase);
      switch (phase) {
        case "P1":
          return shown(
            "r",
            stop,
            cancelledCalls("SIGINT $phase closes the socket, and the session continues: $vendor"),
            cancelled("a signal before the turn has begun ends the process, with a result"),
          );
        case "P2":
        case "P7":
          return shown(
            phase === "P7" ? "r+g" : "r",
            stop,
            signals("%s ends the turn in order, and the session continues", phase, "SIGINT", "SIGTERM", "SIGHUP"),
            signals("nobody reads the output any more: the turn ends in order, and the session continues", phase),
            phase === "P7"
              ? cancelled(
                  "a second signal ends the process at once, with its result reported, and leaves no command behind",
                )
              : cancelled("a reader that goes away ends the process by itself"),
          );
        case "P5":
          return shown(
            "r/e",
            stop,
            approvals("a cancelled turn withdraws its questions and answers its calls as cancelled"),
            approvals("an interaction survives a restart, with its id"),
          );
        case "P10":
          return shown("r+i", stop);
        default:
          return shown("r", stop);
      }
    }),
  },
];

const everyPhase = [...livePhases, "P11", "P12"] as const;

function notYet(phases: readonly (typeof everyPhase)[number][], missing: string): MatrixFault["cells"] {
  return Object.fromEntries(phases.map((phase): [string, MatrixCell] => [phase, notBuilt(missing)]));
}

export const clientFaults: readonly MatrixFault[] = [
  {
    fault: "A client goes away, or sends a request twice",
    note: "The engine itself knows turns and interactions by their ids and takes each once; nobody can reach it from another process yet.",
    cells: notYet(everyPhase, "There is no server, and so no client that could go away."),
  },
  {
    fault: "A chat service delivers an update twice",
    cells: notYet(
      everyPhase.filter((phase) => phase !== "P12"),
      "There are no connectors to chat services.",
    ),
  },
];
