import type { SessionState } from "@capstan/session";
import type { Effect, Stimulus } from "@capstan/engine";
import { hookPoint } from "@capstan/hook-points";
import { type FileConflict, type FileEffect, unreachable } from "@capstan/protocol";
import { callModel } from "./effects/call-model.ts";
import { contextTurn } from "./effects/context-turn.ts";
import { keepResults } from "./effects/keep-results.ts";
import { probeCalls } from "./effects/probe-calls.ts";
import { foreseeConflicts, restoreFiles } from "./effects/restore-files.ts";
import { runHooks } from "./effects/run-hooks.ts";
import { ToolCalls } from "./effects/tool-calls.ts";
import { toolContext } from "./effects/tool-context.ts";
import { closingHooksMs } from "./limits.ts";
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
  readonly #calls: ToolCalls;
  /** By step or call id. */
  readonly #running = new Map<string, AbortController>();
  readonly #tasks = new Set<Promise<void>>();
  /** Those of hooks that nothing waits for. */
  readonly #notified = new Set<Promise<void>>();
  readonly #mayAct: () => Promise<boolean>;
  readonly #timers = new Map<string, () => void>();
  #probing: Promise<void> | undefined;
  #stopped = false;

  /** @param mayAct  whether this process is still the session's writer */
  constructor(
    ports: DecisionPorts & ActionPorts,
    state: () => SessionState,
    submit: (stimulus: Stimulus) => Promise<void>,
    mayAct: () => Promise<boolean>,
  ) {
    this.#calls = new ToolCalls({ ports, state, submit, mayAct });
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
        return this.#begin(effect.stepId, (signal) => this.#calls.prepare(effect, signal));
      case "stage-tool":
        return this.#begin(effect.callId, (signal) => this.#calls.stage(effect, signal));
      case "run-tool":
        return this.#begin(effect.callId, (signal) => this.#calls.run(effect, signal));
      case "answer-tool":
        return this.#calls.answer(effect);
      case "probe-calls":
        this.#probing = this.#task(effect.stepId, (signal) => this.#probe(effect, signal));
        return;
      case "restore-files":
        return this.#begin(effect.restoreId, (signal) => this.#restore(effect, signal));
      case "run-hooks":
        return this.#runHooks(effect);
      case "stop-hooks":
        return this.#abort(effect.runId);
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

  /** Waits until hooks that are only informed have ended, and not forever. */
  async notified(): Promise<void> {
    if (this.#notified.size === 0) return;
    let cancel = ignore;
    const late = new Promise<void>((resolve) => {
      cancel = this.#ports.clock.after(closingHooksMs, resolve);
    });
    await Promise.race([Promise.all(this.#notified), late]);
    cancel();
  }

  /** Waits until what a dead process left running has been looked at, and settled. */
  async probed(): Promise<void> {
    await this.#probing;
  }

  /** What restoring these files would leave alone now. */
  async foresee(files: readonly FileEffect[]): Promise<readonly FileConflict[]> {
    const { workspace } = this.#state();
    return workspace === null ? [] : await foreseeConflicts(this.#ports, workspace, files);
  }

  #withModel(key: string, work: (model: ModelPorts, signal: AbortSignal) => Promise<void>): void {
    const { model } = this.#ports;
    if (model !== null) this.#begin(key, (signal) => work(model, signal));
  }

  async #packContext({ turnId }: Of<"pack-context">, { context }: ModelPorts, signal: AbortSignal): Promise<void> {
    const { workspace } = this.#state();
    const parts = workspace === null ? [] : await context.collect(workspace, signal, contextTurn(this.#state()));
    const redacted = parts.map((part) => ({ ...part, text: this.#ports.redact(part.text) }));
    const kept = await keepResults(this.#state(), this.#ports.tools);
    if (signal.aborted) return;
    await this.#submit({ type: "context-packed", turnId, parts: redacted, ...(kept.length === 0 ? {} : { kept }) });
  }

  async #callModel(effect: Of<"call-model">, model: ModelPorts, signal: AbortSignal): Promise<void> {
    await callModel({ effect, ports: { ...this.#ports, ...model }, signal, submit: this.#submit });
  }

  async #probe({ stepId, calls }: Of<"probe-calls">, signal: AbortSignal): Promise<void> {
    const probes = await probeCalls(calls, this.#ports, toolContext(this.#state(), signal));
    if (!signal.aborted) await this.#submit({ type: "calls-probed", stepId, probes });
  }

  async #restore({ restoreId, files, together = [] }: Of<"restore-files">, signal: AbortSignal): Promise<void> {
    const { workspace } = toolContext(this.#state(), signal);
    const outcome = await restoreFiles(this.#ports, workspace, { files, together }, signal);
    if (!signal.aborted) await this.#submit({ type: "files-restored", restoreId, ...outcome });
  }

  #runHooks(effect: Of<"run-hooks">): void {
    const task = this.#task(effect.runId, async (signal) => {
      // Another process may have taken the session over while this one slept.
      if (!(await this.#mayAct())) return;
      const ended = await runHooks(effect, this.#state(), this.#ports, signal);
      if (ended !== undefined) await this.#submit(ended);
    });
    if (hookPoint(effect.event).before !== undefined) return;
    this.#notified.add(task);
    void task.finally(() => this.#notified.delete(task));
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

function ignore(): void {
  // Until there is something to cancel.
}

function stopReason(): Error {
  return new DOMException("stopped by the session", "AbortError");
}
