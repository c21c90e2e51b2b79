import { exitCodes, type Interaction, type SessionHandle, type SessionEvent } from "@capstan/protocol";
import type { TurnReport } from "./turn-request.ts";
import type { TurnView } from "./turn-request.ts";
import { waitingLines } from "./asking/waiting-lines.ts";
import { jsonLine } from "./json-line.ts";
import type { Streams } from "./output.ts";

/** One result object on stdout, and nothing else. */
export function createJsonView(streams: Streams): TurnView {
  return {
    opened: nothing,
    event: nothing,
    waiting: (interaction) => showWaiting(streams, interaction),
    finished: (report) => streams.result.write(`${jsonLine(resultObject(report))}\n`),
  };
}

/** A line per event with its sequence number, `init` first, `result` last. */
export function createStreamJsonView(streams: Streams, version: string): TurnView {
  const write = (value: object): void => streams.result.write(`${jsonLine(value)}\n`);
  return {
    opened(session) {
      write(initObject(session, version));
    },
    event({ seq, at, record }: SessionEvent) {
      write({ ...record, seq, at });
    },
    waiting: (interaction) => showWaiting(streams, interaction),
    finished: (report) => write(resultObject(report)),
  };
}

/** The last line of every run: what scripts read. */
function resultObject({ result, sessionId, durationMs }: TurnReport): object {
  return { type: "result", sessionId, exitCode: exitCodes[result.outcome], durationMs, ...result };
}

function initObject(session: SessionHandle, version: string): object {
  const { config, workspace } = session.snapshot();
  const { model, mode, strategy, tools, sandbox } = config;
  return {
    type: "init",
    seq: session.openedAfter,
    sessionId: session.id,
    version,
    cwd: workspace.cwd,
    roots: workspace.roots,
    model: `${model.provider}/${model.id}`,
    permissionMode: mode,
    isolation: sandbox.isolation,
    strategy,
    tools: tools.map((tool) => tool.name),
  };
}

/** Scripts read it in the events; a user looks at stderr. */
function showWaiting({ progress }: Streams, interaction: Interaction): void {
  for (const text of waitingLines(interaction)) progress.write(`${text}\n`);
}

function nothing(): void {
  // The result at the end says it all.
}
