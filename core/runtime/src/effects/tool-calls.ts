import { configNow, type PendingCall, proposedInTurn, type SessionState } from "@capstan/session";
import { type Effect, judgeCall, type Stimulus } from "@capstan/engine";
import { isWithin } from "@capstan/patterns";
import type { Staged } from "@capstan/ports";
import type { Action, ActionDraft, StepId, ToolCallBlock, ToolCallId } from "@capstan/protocol";
import { redactChanges, redactOutcome } from "../redact-outcome.ts";
import type { ActionPorts, DecisionPorts } from "../runtime-ports.ts";
import { CallQuestions, redactQuestions } from "./call-questions.ts";
import { keepFiles } from "./keep-files.ts";
import { isWhole, unknownTool } from "./prepare-actions.ts";
import { prepareBatch, type ReadyCall } from "./prepare-batch.ts";
import { proposeCall, type ProposedCall } from "./propose-call.ts";
import { ReachedHosts } from "./reached-hosts.ts";
import { type Intent, runTool, stageTool, type ToolRun } from "./run-tool.ts";
import { onlyProposes, toolContext } from "./tool-context.ts";

type Of<Type extends Effect["type"]> = Extract<Effect, { type: Type }>;

/** What the calls of a session reach. */
export interface CallSurroundings {
  readonly ports: DecisionPorts & ActionPorts;
  readonly state: () => SessionState;
  readonly submit: (stimulus: Stimulus) => Promise<void>;
  /** Whether this process is still the session's writer. */
  readonly mayAct: () => Promise<boolean>;
}

/** Prepares, stages and runs the calls of one session, each step when it is asked for it. */
export class ToolCalls {
  readonly #around: CallSurroundings;
  readonly #staged = new Map<ToolCallId, Staged>();
  readonly #staging = new Set<ToolCallId>();
  readonly #questions = new CallQuestions();
  readonly #reached = new ReachedHosts();
  /** The first effectful call of those that are being handed over: should it start at once, it is as it was prepared. */
  #ready: ReadyCall | undefined;

  constructor(around: CallSurroundings) {
    this.#around = around;
  }

  async prepare({ stepId, calls }: Of<"prepare-actions">, signal: AbortSignal): Promise<void> {
    const begun = this.#pending().filter(hasBegun).length;
    const ready = await this.#readyCalls(calls, signal);
    // What has begun meanwhile was prepared for with what had been decided before, and is looked at again when it starts.
    if (signal.aborted || this.#pending().filter(hasBegun).length !== begun) return;
    await this.#handOver(stepId, ready);
  }

  async stage({ callId, action, onlyReads }: Of<"stage-tool">, signal: AbortSignal): Promise<void> {
    const ready = this.#ready;
    if (this.#staging.has(callId)) return;
    if (!isWhole(action, this.#around.ports.digest)) return await this.#refuseChanged(callId);
    this.#staging.add(callId);
    let other: ReadyCall | undefined;
    try {
      const now = isAction(ready, callId, action) ? ready : await this.#prepareAgain(callId, signal);
      if (isAction(now, callId, action))
        await this.#stageReady(now, { callId, action, onlyReads: onlyReads === true }, signal);
      else other = now;
    } finally {
      this.#staging.delete(callId);
    }
    // It has become another than was decided on, and that is to be decided on instead: it may start at once.
    if (other !== undefined) await this.#decideAgain(other);
  }

  answer({ callId, answer }: Of<"answer-tool">): void {
    this.#questions.answer(callId, answer);
  }

  async run({ callId, action }: Of<"run-tool">, signal: AbortSignal): Promise<void> {
    const staged = this.#staged.get(callId);
    this.#staged.delete(callId);
    // A process that slept may wake up when another has settled this call, and perhaps run it, in its place.
    if (action.effect !== "read" && !(await this.#around.mayAct())) return;
    if (!isWhole(action, this.#around.ports.digest)) return await this.#refuseChanged(callId);
    const run = this.#toolRun(callId, action, signal);
    if (run === undefined) return await this.#disappeared(callId, action);
    try {
      await runTool(run, staged, this.#intentOf(callId));
    } finally {
      this.#questions.forget(callId);
      this.#reached.forget(callId);
    }
  }

  #isAsked(callId: ToolCallId): boolean {
    const pending = this.#pending().find(({ call }) => call.callId === callId);
    return pending?.type === "running" && pending.question !== null;
  }

  /** The call as it is now. */
  async #prepareAgain(callId: ToolCallId, signal: AbortSignal): Promise<ReadyCall | undefined> {
    const pending = this.#pending().find(({ call }) => call.callId === callId);
    if (pending === undefined) return undefined;
    const [ready] = await this.#readyCalls([pending.call], signal);
    return signal.aborted ? undefined : ready;
  }

  async #decideAgain(ready: ReadyCall): Promise<void> {
    const { operation } = this.#around.state();
    if (operation.type === "tool-loop") await this.#handOver(operation.batch.stepId, [ready]);
  }

  async #stageReady(
    ready: ReadyCall,
    { callId, action, onlyReads }: Omit<Of<"stage-tool">, "type" | "onlyReads"> & { readonly onlyReads: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const run = this.#toolRun(callId, action, signal);
    if (run === undefined) return await this.#disappeared(callId, action);
    const staged = ready.staged ?? (await stageTool(run));
    if (staged === undefined || signal.aborted) return;
    const proposed = await this.#propose(run, staged);
    if (proposed?.type === "refused") return await this.#around.submit({ ...noEnd, callId, outcome: proposed.outcome });
    const checkpoint = onlyReads || proposed !== undefined ? undefined : await keepFiles(run);
    if (signal.aborted) return;
    this.#staged.set(callId, staged);
    const { redact } = this.#around.ports;
    await this.#around.submit({
      type: "tool-staged",
      callId,
      settle: staged.settle,
      proposal: redact(staged.proposal),
      changes: redactChanges(staged.changes, redact),
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(proposed === undefined ? {} : { proposed: proposed.effects }),
    });
    // Still here when the call does not run: it was proposed only, or cancelled meanwhile.
    this.#staged.delete(callId);
  }

  /** @returns `undefined` where the call is to run */
  async #propose({ action, ports }: ToolRun, staged: Staged): Promise<ProposedCall | undefined> {
    const state = this.#around.state();
    if (action.effect !== "write" || (action.proposes === undefined && !onlyProposes(state))) return undefined;
    return await proposeCall(ports, staged, proposedInTurn(state));
  }

  async #readyCalls(calls: readonly ToolCallBlock[], signal: AbortSignal): Promise<readonly ReadyCall[]> {
    const { ports, state } = this.#around;
    return await prepareBatch(calls, toolContext(state(), signal), {
      tools: ports.tools,
      digest: ports.digest,
      redact: ports.redact,
      mayRun: (callId, draft) => mayRun(state(), callId, draft),
      onlyProposes: onlyProposes(state()),
      proposals: this.#pending().flatMap((pending) =>
        pending.type === "settled" && pending.outcome.type === "proposed" && pending.action !== null
          ? [pending.action]
          : [],
      ),
    });
  }

  async #handOver(stepId: StepId, ready: readonly ReadyCall[]): Promise<void> {
    const { redact } = this.#around.ports;
    const prepared = ready.map(({ staged: _staged, ...item }) =>
      item.type === "refused" ? { ...item, outcome: redactOutcome(item.outcome, redact) } : item,
    );
    this.#ready = ready.find((item) => item.type === "action" && item.action.effect !== "read");
    await this.#around.submit({ type: "actions-prepared", stepId, prepared });
    this.#ready = undefined;
  }

  /** As the journal holds it: the call runs only after its intent became durable. */
  #intentOf(callId: ToolCallId): Intent {
    const pending = this.#pending().find(({ call }) => call.callId === callId);
    return pending?.type === "running" ? pending : { settle: { files: [] }, checkpoint: null };
  }

  #pending(): readonly PendingCall[] {
    const { operation } = this.#around.state();
    return operation.type === "tool-loop" ? operation.batch.calls : [];
  }

  #toolRun(callId: ToolCallId, action: Action, signal: AbortSignal): ToolRun | undefined {
    const { ports, state, submit } = this.#around;
    const tool = ports.tools.find(action.tool);
    const { operation } = state();
    if (tool === undefined || operation.type !== "tool-loop") return undefined;
    const { turnId } = operation.turn;
    const ask: ToolRun["ask"] = async (asker, questions) =>
      await this.#questions.ask({
        callId,
        asker,
        questions: redactQuestions(questions, ports.redact),
        signal,
        submit,
        isOpen: () => this.#isAsked(callId),
      });
    const mayReach: ToolRun["mayReach"] = async (place, what) =>
      await this.#reached.ask({
        callId,
        place,
        ask: async (host, questions) =>
          await this.#questions.ask({
            callId,
            asker: what,
            questions: redactQuestions(questions, ports.redact),
            host,
            signal,
            submit,
            isOpen: () => this.#isAsked(callId),
          }),
      });
    const context = toolContext(state(), signal);
    const canAsk = configNow(state())?.askPolicy === "ask";
    const over = proposedInTurn(state());
    return { turnId, callId, action, tool, context, ports, over, submit, ask, mayReach: canAsk ? mayReach : undefined };
  }

  /** A resumed session may hold an allowed call of a tool that was switched off since. */
  async #disappeared(callId: ToolCallId, action: Action): Promise<undefined> {
    const outcome = unknownTool(action.tool, this.#around.ports.tools);
    await this.#around.submit({ ...noEnd, callId, outcome });
  }

  /** What the journal holds is not what was judged and shown: whatever it is, nobody said yes to it. */
  async #refuseChanged(callId: ToolCallId): Promise<undefined> {
    const content =
      "Not run: the action in the journal is not the one that was judged (its digest does not fit). Make the call again.";
    const outcome = { type: "rejected", code: "tool.changed", content } as const;
    await this.#around.submit({ ...noEnd, callId, outcome });
  }
}

const noEnd = { type: "tool-ended", changes: [], observed: [], durationMs: 0 } as const;

/**
 * Nobody has said no, and where somebody must be asked, somebody was or can be; in the workspace what is wrong with a call is
 * said first, also where nobody can be asked. No rule speaks of digests.
 */
function mayRun({ operation, config, ...state }: SessionState, callId: ToolCallId, draft: ActionDraft): boolean {
  if (operation.type !== "tool-loop") return false;
  const { verdict } = judgeCall({ ...state, operation, config }, operation.turn, { ...draft, digest: "" });
  const pending = operation.batch.calls.find(({ call }) => call.callId === callId);
  if (verdict !== "ask") return verdict === "allow";
  const roots = state.workspace?.roots ?? [];
  return (
    config?.askPolicy === "ask" ||
    pending?.type === "allowed" ||
    draft.paths.every(({ real }) => roots.some((root) => isWithin(root, real)))
  );
}

function hasBegun({ type }: PendingCall): boolean {
  return type === "running" || type === "settled";
}

function isAction(ready: ReadyCall | undefined, callId: ToolCallId, { digest }: Action): ready is ReadyCall {
  return ready?.callId === callId && ready.type === "action" && ready.action.digest === digest;
}
