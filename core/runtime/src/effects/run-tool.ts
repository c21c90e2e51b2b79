import type { Stimulus } from "@capstan/engine";
import type { Staged, Tool, ToolContext, ToolResult } from "@capstan/ports";
import { type Action, messageOf, type ToolCallId, type ToolOutcome } from "@capstan/protocol";
import { DeltaWindow } from "../delta-window.ts";
import { liveOutputCharacters } from "../limits.ts";
import { redactChanges, redactOutcome } from "../redact-outcome.ts";
import type { RuntimePorts } from "../runtime-ports.ts";
import { refusalOutcome } from "./prepare-actions.ts";

type ToolEnd = Extract<Stimulus, { type: "tool-ended" }>;

/** A call with everything it needs. */
export interface ToolRun {
  readonly callId: ToolCallId;
  readonly action: Action;
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly ports: RuntimePorts;
  readonly submit: (stimulus: Stimulus) => Promise<void>;
}

/** Works an effect out without applying it. Returns what `run` needs later. */
export async function stageTool(run: ToolRun): Promise<Staged | undefined> {
  const { callId, action, tool, context, ports } = run;
  const startedMs = ports.clock.elapsed();
  let staged: Staged | undefined;
  try {
    staged = await tool.stage?.(action, context);
  } catch (error) {
    if (!context.signal.aborted)
      await run.submit(ended(callId, refusalOutcome(error, tool), ports.clock.elapsed() - startedMs, ports));
    return undefined;
  }
  return staged ?? { settle: { files: [] }, changes: [], proposal: `Proposed: ${action.summary}`, data: undefined };
}

/** Runs a call whose intent is durable. Ends silently when it was cancelled: the call has its answer already. */
export async function runTool(run: ToolRun, staged: Staged | undefined): Promise<void> {
  const { callId, action, tool, context, ports } = run;
  const startedMs = ports.clock.elapsed();
  const live = new LiveOutput(run);
  let end: ToolEnd;
  try {
    const result = await tool.run(action, staged, {
      ...context,
      callId,
      onOutput: (stream, text) => live.add(stream, text),
    });
    end = fromResult(callId, result, ports);
  } catch (error) {
    end = ended(callId, whileRunning(refusalOutcome(error, tool), tool, error), 0, ports);
  }
  if (context.signal.aborted) return live.discard();
  await live.flush();
  await run.submit({ ...end, durationMs: Math.round(ports.clock.elapsed() - startedMs) });
}

function fromResult(callId: ToolCallId, result: ToolResult, { redact }: RuntimePorts): ToolEnd {
  const { content } = result;
  const details = result.details === undefined ? {} : { details: result.details };
  const outcome: ToolOutcome =
    result.status === "ok"
      ? { type: "done", content, ...details }
      : { type: "failed", code: result.code, content, ...details };
  return {
    type: "tool-ended",
    callId,
    outcome: redactOutcome(outcome, redact),
    changes: redactChanges(result.changes ?? [], redact),
    observed: result.observed ?? [],
    durationMs: 0,
  };
}

function ended(callId: ToolCallId, outcome: ToolOutcome, durationMs: number, { redact }: RuntimePorts): ToolEnd {
  const told = redactOutcome(outcome, redact);
  return { type: "tool-ended", callId, outcome: told, changes: [], observed: [], durationMs: Math.round(durationMs) };
}

/** An unexpected exception in `run` is a failure of the tool, not of its preparation. */
function whileRunning(outcome: ToolOutcome, tool: Tool, error: unknown): ToolOutcome {
  return outcome.type === "failed"
    ? { ...outcome, content: `${tool.definition.name} failed: ${messageOf(error)}` }
    : outcome;
}

interface Output {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** A call's output as it comes, for people; bounded, since the result repeats what matters. */
class LiveOutput {
  readonly #window: DeltaWindow<Output>;
  #room = liveOutputCharacters;

  constructor({ callId, ports, submit }: ToolRun) {
    this.#window = new DeltaWindow<Output>(
      ports.clock,
      (piece) => piece.text.length,
      async (pieces) => {
        for (const { stream, text } of joined(pieces))
          await submit({ type: "tool-output", callId, stream, delta: ports.redact(text) });
      },
    );
  }

  add(stream: Output["stream"], text: string): void {
    const shown = text.slice(0, this.#room);
    this.#room -= shown.length;
    // Whoever waits for the pieces is `flush`; a failed hand-over stops the session by itself.
    if (shown !== "") void this.#window.add([{ stream, text: shown }])?.catch(() => undefined);
  }

  flush(): Promise<void> {
    return this.#window.flush();
  }

  discard(): void {
    this.#window.discard();
  }
}

function joined(pieces: readonly Output[]): readonly Output[] {
  const whole: Output[] = [];
  for (const piece of pieces) {
    const last = whole.at(-1);
    if (last?.stream === piece.stream) whole[whole.length - 1] = { stream: piece.stream, text: last.text + piece.text };
    else whole.push(piece);
  }
  return whole;
}
