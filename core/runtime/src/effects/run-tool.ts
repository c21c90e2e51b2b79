import type { Stimulus } from "@capstan/engine";
import { isWithin } from "@capstan/patterns";
import type { ChangeReach, Staged, Tool, ToolContext, ToolResult, ToolRunContext } from "@capstan/ports";
import {
  type Action,
  type Checkpoint,
  type FileEffect,
  messageOf,
  type SettleEvidence,
  type ToolCallId,
  type ToolOutcome,
  type TurnId,
} from "@capstan/protocol";
import { DeltaWindow } from "../delta-window.ts";
import { liveOutputCharacters } from "../limits.ts";
import type { RedactionStream } from "../redaction/redaction-stream.ts";
import { redactChanges, redactOutcome } from "../redact-outcome.ts";
import type { ActionPorts, DecisionPorts } from "../runtime-ports.ts";
import { CallPlace } from "./call-place.ts";
import { refusalOutcome } from "./prepare-actions.ts";

type ToolEnd = Extract<Stimulus, { type: "tool-ended" }>;

/** A call with everything it needs. */
export interface ToolRun {
  readonly turnId: TurnId;
  readonly callId: ToolCallId;
  readonly action: Action;
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly ports: DecisionPorts & ActionPorts;
  /** What the turn has proposed so far. */
  readonly over: readonly FileEffect[];
  readonly submit: (stimulus: Stimulus) => Promise<void>;
  /** Of its user, while it runs. */
  readonly ask: NonNullable<ToolRunContext["ask"]>;
  /** `undefined`: nobody can be asked. What certainly changes nothing, and so keeps no files, needs no network either. */
  readonly mayReach: ToolRunContext["mayReach"];
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

/** What the journal holds of a call's intent. */
export interface Intent {
  readonly settle: SettleEvidence;
  readonly checkpoint: Checkpoint | null;
}

/**
 * Runs a call whose intent is durable. When it was cancelled the call has its answer already, and only what it did to files is
 * reported.
 */
export async function runTool(run: ToolRun, staged: Staged | undefined, intent: Intent): Promise<void> {
  const { callId, action, tool, context, ports } = run;
  const startedMs = ports.clock.elapsed();
  const live = new LiveOutput(run);
  let reach: ChangeReach | undefined;
  let end: ToolEnd;
  const place = new CallPlace(run);
  try {
    const copy = await place.open();
    const result = await tool.run(action, staged, {
      ...context,
      callId,
      settle: intent.settle,
      ...(copy === undefined ? {} : { copy }),
      onOutput: (stream, text) => live.add(stream, text),
      ask: run.ask,
      ...(run.mayReach === undefined || intent.checkpoint === null ? {} : { mayReach: run.mayReach }),
      onReach: (found) => {
        reach = found;
      },
    });
    end = fromResult(callId, { ...result, content: withNotes(result.content, action) }, ports);
  } catch (error) {
    end = ended(callId, whileRunning(refusalOutcome(error, tool), tool, error), 0, ports);
  }
  const durationMs = Math.round(ports.clock.elapsed() - startedMs);
  const effects = end.effects ?? ownEffects(await effectsSince(run, intent), reach);
  if (context.signal.aborted) {
    live.discard();
    await place.close();
    if (effects.length > 0) await run.submit({ type: "effects-seen", turnId: run.turnId, callId, effects });
    return;
  }
  await live.flush();
  end = await place.closeInto(end);
  const changes = end.changes.length > 0 ? end.changes : await changesOf(run, effects);
  await run.submit({ ...end, durationMs, changes, ...(effects.length === 0 ? {} : { effects }) });
}

/** What the call did to files. Not stopped with the call: what was cancelled must be known, too. */
async function effectsSince({ ports }: ToolRun, { checkpoint }: Intent): Promise<readonly FileEffect[]> {
  if (checkpoint === null) return [];
  try {
    return await ports.checkpoints.since(checkpoint, new AbortController().signal);
  } catch (error) {
    ports.report(error);
    return [];
  }
}

/** Without what somebody else did meanwhile: it is neither shown as the call's nor taken back with it. */
function ownEffects(effects: readonly FileEffect[], reach: ChangeReach | undefined): readonly FileEffect[] {
  if (reach === undefined) return effects;
  return effects.filter(({ path }) => isIn(reach.open, path) && !isIn(reach.shut, path));
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isWithin(folder, path));
}

/** For people: what a command changed, which it does not say itself. */
async function changesOf({ ports, context }: ToolRun, effects: readonly FileEffect[]): Promise<ToolEnd["changes"]> {
  if (effects.length === 0) return [];
  try {
    return redactChanges(await ports.checkpoints.describe(context.workspace, effects, context.signal), ports.redact);
  } catch (error) {
    ports.report(error);
    return [];
  }
}

/** The model must know what was left out of its call. */
function withNotes(content: string, { notes = [] }: Action): string {
  return [content, ...notes.map((note) => `[Note: ${note}]`)].join("\n");
}

function fromResult(callId: ToolCallId, result: ToolResult, { redact }: DecisionPorts): ToolEnd {
  const { content } = result;
  const details = result.details === undefined ? {} : { details: result.details };
  const outcome: ToolOutcome =
    result.status === "ok"
      ? { type: "done", content, ...details, ...(result.media === undefined ? {} : { media: result.media }) }
      : { type: "failed", code: result.code, content, ...details };
  return {
    type: "tool-ended",
    callId,
    outcome: redactOutcome(outcome, redact),
    changes: redactChanges(result.changes ?? [], redact),
    observed: result.observed ?? [],
    durationMs: 0,
    ...(result.limits === undefined ? {} : { limits: result.limits }),
    ...(result.spent === undefined ? {} : { spent: result.spent }),
    ...(result.effects === undefined ? {} : { effects: result.effects }),
  };
}

function ended(callId: ToolCallId, outcome: ToolOutcome, durationMs: number, { redact }: DecisionPorts): ToolEnd {
  const reported = redactOutcome(outcome, redact);
  return {
    type: "tool-ended",
    callId,
    outcome: reported,
    changes: [],
    observed: [],
    durationMs: Math.round(durationMs),
  };
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
  readonly #run: ToolRun;
  /** One for each stream: what of one is held back for a secret's end is not mixed with the other. */
  readonly #streams: Readonly<Record<Output["stream"], RedactionStream>>;
  #room = liveOutputCharacters;

  constructor(run: ToolRun) {
    const { ports } = run;
    this.#run = run;
    this.#streams = { stdout: ports.redact.stream(), stderr: ports.redact.stream() };
    this.#window = new DeltaWindow<Output>(
      ports.clock,
      (piece) => piece.text.length,
      async (pieces) => {
        for (const { stream, text } of joined(pieces)) await this.#show(stream, this.#streams[stream].push(text));
      },
    );
  }

  add(stream: Output["stream"], text: string): void {
    const shown = text.slice(0, this.#room);
    this.#room -= shown.length;
    // Whoever waits for the pieces is `flush`; a failed hand-over stops the session by itself.
    if (shown !== "") void this.#window.add([{ stream, text: shown }])?.catch(() => undefined);
  }

  async flush(): Promise<void> {
    await this.#window.flush();
    await this.#show("stdout", this.#streams.stdout.end());
    await this.#show("stderr", this.#streams.stderr.end());
  }

  async #show(stream: Output["stream"], delta: string): Promise<void> {
    const { callId, submit } = this.#run;
    if (delta !== "") await submit({ type: "tool-output", callId, stream, delta });
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
