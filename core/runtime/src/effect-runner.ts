import { type Effect, modeForTools, planSources, type SessionState, type Stimulus } from "@capstan/engine";
import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, AppError, type ToolCallId, unreachable } from "@capstan/protocol";
import { callModel } from "./effects/call-model.ts";
import { keepFiles } from "./effects/keep-files.ts";
import { isWhole, prepareActions, unknownTool } from "./effects/prepare-actions.ts";
import { probeCalls } from "./effects/probe-calls.ts";
import { restoreFiles } from "./effects/restore-files.ts";
import { type Intent, runTool, stageTool, type ToolRun } from "./effects/run-tool.ts";
import { redactChanges, redactOutcome } from "./redact-outcome.ts";
import type { ActionPorts, DecisionPorts, ModelPorts } from "./runtime-ports.ts";

type Of<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;

/** What is done outside the store. */
export type OutwardEffect = Exclude<Effect, { readonly type: "keep-grant" }>;

/**
 * Carries out effects and hands their outcomes back as stimuli. Whatever it starts it can stop: every task has an abort
 * controller, every timer a canceller, and `stop` waits until nothing is left.
 */
export class EffectRunner {
  readonly #ports: DecisionPorts & ActionPorts;
  readonly #state: () => SessionState;
  readonly #submit: (stimulus: Stimulus) => Promise<void>;
  readonly #mayAct: () => Promise<boolean>;
  /** By step or call id. */
  readonly #running = new Map<string, AbortController>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #timers = new Map<string, () => void>();
  readonly #staged = new Map<ToolCallId, Staged>();
  #probing: Promise<void> | undefined;
  #stopped = false;

  /** @param mayAct  whether this process is still the session's writer */
  constructor(
    ports: DecisionPorts & ActionPorts,
    state: () => SessionState,
    submit: (stimulus: Stimulus) => Promise<void>,
    mayAct: () => Promise<boolean>,
  ) {
    this.#mayAct = mayAct;
    this.#ports = ports;
    this.#state = state;
    this.#submit = submit;
  }

  perform(effect: OutwardEffect): void {
    if (this.#stopped) return;
    switch (effect.type) {
      case "pack-context":
        return this.#withModel(effect.turnId, (model, signal) => this.#packContext(effect, model, signal));
      case "call-model":
        return this.#withModel(effect.stepId, (model, signal) => this.#callModel(effect, model, signal));
      case "stop-model":
        return this.#abort(effect.stepId);
      case "prepare-actions":
        return this.#begin(effect.stepId, (signal) => this.#prepare(effect, signal));
      case "stage-tool":
        return this.#begin(effect.callId, (signal) => this.#stage(effect, signal));
      case "run-tool":
        return this.#begin(effect.callId, (signal) => this.#run(effect, signal));
      case "probe-calls":
        this.#probing = this.#task(effect.stepId, (signal) => this.#probe(effect, signal));
        return;
      case "restore-files":
        return this.#begin(effect.restoreId, (signal) => this.#restore(effect, signal));
      case "stop-tools":
        return effect.callIds.forEach((callId) => this.#abort(callId));
      case "start-timer":
        return this.#startTimer(effect);
      case "stop-timer":
        return this.#stopTimer(effect.timerId);
      default:
        return unreachable(effect);
    }
  }

  /** Aborts everything and waits until it has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
    for (const controller of this.#running.values()) controller.abort(stopReason());
    await Promise.all(this.#tasks);
  }

  /** Waits until everything that was aborted or ended is gone; what still runs is waited for too. */
  async settled(): Promise<void> {
    await Promise.all(this.#tasks);
  }

  /** Waits until what a dead process left running has been looked at, and settled. */
  async probed(): Promise<void> {
    await this.#probing;
  }

  #withModel(key: string, work: (model: ModelPorts, signal: AbortSignal) => Promise<void>): void {
    const { model } = this.#ports;
    if (model !== null) this.#begin(key, (signal) => work(model, signal));
  }

  async #packContext({ turnId }: Of<"pack-context">, { context }: ModelPorts, signal: AbortSignal): Promise<void> {
    const { workspace } = this.#state();
    const parts = workspace === null ? [] : await context.collect(workspace, signal);
    const redacted = parts.map((part) => ({ ...part, text: this.#ports.redact(part.text) }));
    await this.#submit({ type: "context-packed", turnId, parts: redacted });
  }

  async #callModel(effect: Of<"call-model">, model: ModelPorts, signal: AbortSignal): Promise<void> {
    await callModel({ effect, ports: { ...this.#ports, ...model }, signal, submit: this.#submit });
  }

  async #prepare({ stepId, calls }: Of<"prepare-actions">, signal: AbortSignal): Promise<void> {
    const prepared = await prepareActions(calls, this.#ports.tools, this.#context(signal), this.#ports);
    const redacted = prepared.map((item) =>
      item.type === "refused" ? { ...item, outcome: redactOutcome(item.outcome, this.#ports.redact) } : item,
    );
    await this.#submit({ type: "actions-prepared", stepId, prepared: redacted });
  }

  async #stage({ callId, action, onlyReads }: Of<"stage-tool">, signal: AbortSignal): Promise<void> {
    if (!isWhole(action, this.#ports.digest)) return await this.#refuseChanged(callId);
    const run = this.#toolRun(callId, action, signal);
    if (run === undefined) return await this.#disappeared(callId, action);
    const staged = await stageTool(run);
    if (staged === undefined || signal.aborted) return;
    const checkpoint = onlyReads === true ? undefined : await keepFiles(run);
    if (signal.aborted) return;
    this.#staged.set(callId, staged);
    const { redact } = this.#ports;
    await this.#submit({
      type: "tool-staged",
      callId,
      settle: staged.settle,
      proposal: redact(staged.proposal),
      changes: redactChanges(staged.changes, redact),
      ...(checkpoint === undefined ? {} : { checkpoint }),
    });
    // Still here when the call does not run: it was proposed only, or cancelled meanwhile.
    this.#staged.delete(callId);
  }

  async #run({ callId, action }: Of<"run-tool">, signal: AbortSignal): Promise<void> {
    const staged = this.#staged.get(callId);
    this.#staged.delete(callId);
    // A process that slept may wake up when another has settled this call, and perhaps run it, in its place.
    if (action.effect !== "read" && !(await this.#mayAct())) return;
    if (!isWhole(action, this.#ports.digest)) return await this.#refuseChanged(callId);
    const run = this.#toolRun(callId, action, signal);
    if (run === undefined) await this.#disappeared(callId, action);
    else await runTool(run, staged, this.#intentOf(callId));
  }

  async #probe({ stepId, calls }: Of<"probe-calls">, signal: AbortSignal): Promise<void> {
    const probes = await probeCalls(calls, this.#ports, this.#context(signal));
    if (!signal.aborted) await this.#submit({ type: "calls-probed", stepId, probes });
  }

  async #restore({ restoreId, files }: Of<"restore-files">, signal: AbortSignal): Promise<void> {
    const { workspace } = this.#context(signal);
    const outcome = await restoreFiles(this.#ports, workspace, files, signal);
    if (!signal.aborted) await this.#submit({ type: "files-restored", restoreId, ...outcome });
  }

  /** As the journal holds it: the call runs only after its intent became durable. */
  #intentOf(callId: ToolCallId): Intent {
    const { operation } = this.#state();
    const pending =
      operation.type === "tool-loop" ? operation.batch.calls.find((item) => item.call.callId === callId) : undefined;
    return pending?.type === "running" ? pending : { settle: { files: [] }, checkpoint: null };
  }

  #toolRun(callId: ToolCallId, action: Action, signal: AbortSignal): ToolRun | undefined {
    const tool = this.#ports.tools.find(action.tool);
    const { operation } = this.#state();
    if (tool === undefined || operation.type !== "tool-loop") return undefined;
    const { turnId } = operation.turn;
    return { turnId, callId, action, tool, context: this.#context(signal), ports: this.#ports, submit: this.#submit };
  }

  /** A resumed session may hold an allowed call of a tool that was switched off since. */
  async #disappeared(callId: ToolCallId, action: Action): Promise<undefined> {
    const outcome = unknownTool(action.tool, this.#ports.tools);
    await this.#submit({ type: "tool-ended", callId, outcome, changes: [], observed: [], durationMs: 0 });
  }

  /** What the journal holds is not what was judged and shown: whatever it is, nobody said yes to it. */
  async #refuseChanged(callId: ToolCallId): Promise<undefined> {
    const content =
      "Not run: the action in the journal is not the one that was judged (its digest does not fit). Make the call again.";
    const outcome = { type: "rejected", code: "tool.changed", content } as const;
    await this.#submit({ type: "tool-ended", callId, outcome, changes: [], observed: [], durationMs: 0 });
  }

  #context(signal: AbortSignal): ToolContext {
    const state = this.#state();
    const { sessionId, workspace, config, knownFiles } = state;
    if (workspace === null || config === null)
      throw new AppError("internal.bug", "a tool was called in a session without a workspace");
    return {
      sessionId,
      workspace,
      signal,
      mode: modeForTools(config.mode, config.policy),
      sandbox: config.sandbox,
      planSoFar: () => planSources(state),
      knownFile: (realPath) => (Object.hasOwn(knownFiles, realPath) ? knownFiles[realPath] : undefined),
    };
  }

  #begin(key: string, work: (signal: AbortSignal) => Promise<void>): void {
    void this.#task(key, work);
  }

  #task(key: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(key, controller);
    const task = work(controller.signal)
      // What fails here could not even be reported to the session (its storage failed, or a bug): the session's fault covers the first.
      .catch((error: unknown) => this.#ports.report(error))
      .finally(() => {
        this.#tasks.delete(task);
        if (this.#running.get(key) === controller) this.#running.delete(key);
      });
    this.#tasks.add(task);
    return task;
  }

  #abort(key: string): void {
    this.#running.get(key)?.abort(stopReason());
  }

  #startTimer({ timerId, delayMs }: Of<"start-timer">): void {
    this.#stopTimer(timerId);
    const cancel = this.#ports.clock.after(delayMs, () => {
      this.#timers.delete(timerId);
      void this.#submit({ type: "timer-fired", timerId }).catch((error: unknown) => this.#ports.report(error));
    });
    this.#timers.set(timerId, cancel);
  }

  #stopTimer(timerId: string): void {
    this.#timers.get(timerId)?.();
    this.#timers.delete(timerId);
  }
}

function stopReason(): Error {
  return new DOMException("stopped by the session", "AbortError");
}
