import { type PendingCall, type SessionState, snapshot } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import {
  type Action,
  type AssistantBlock,
  type FileEffect,
  type Interaction,
  type InteractionAnswer,
  type JsonObject,
  type StepId,
  toStepId,
  toTurnId,
  unreachable,
} from "@capstan/protocol";
import { signThinking } from "@capstan/rehearsal";
import { action, callId, message, sessionTools, testUsage, toolEffects } from "../builders/calls.ts";
import {
  asks,
  answers,
  completes,
  ends,
  fails,
  fileEffect,
  fires,
  receives,
  packed,
  tester,
  prepared,
  prints,
  restarts,
  staged,
  submit,
} from "../builders/stimuli.ts";
import { settingsVariant } from "./config-variants.ts";
import type { Move, RandomCall, Word } from "./moves.ts";
import { probe, restore } from "./recovery-stimulus.ts";

/** The stimulus a move comes to in this state; ids are those of what is open, or of nothing when nothing fits. */
export function toStimulus(state: SessionState, move: Move, history: readonly Stimulus[]): Stimulus {
  const submissionId = `s${history.length}`;
  switch (move.type) {
    case "say":
      return words(state, move);
    case "queue":
      return queueChange(state, move);
    case "title":
      return submit({ type: "title", title: move.title });
    case "pack":
      return packed(turnOf(state), move.facts);
    case "receive":
    case "complete":
    case "fail":
      return fromModel(state, move);
    case "summary":
      return besideTurn(state, move.end);
    case "prepare":
    case "stage":
    case "print":
    case "ask":
    case "end":
      return fromTools(state, move);
    case "answer":
      return answer(state, move.which, move.answer);
    case "probe":
      return probe(state, move.findings);
    case "restore":
      return restore(state, move.conflict);
    case "rewind":
      return rewinds(move, submissionId);
    case "command":
      return submit({ type: "run-for-user", turnId: toTurnId(`t${move.turn}`), command: { script: "make" } });
    case "unwind":
      return submit({ type: "unwind", submissionId });
    case "tick":
      return fires(move.deadline ? `${turnOf(state)}.deadline` : retryTimer(state));
    case "hooks":
      return hooksEnd(state, move);
    case "close":
      return { type: "session-closing" };
    case "expire":
      return fires(`${pendingAt(state, move.which)?.id ?? "1-nobody"}.expiry`);
    case "cancel":
      return submit({ type: "cancel", reason: "interrupted", queued: move.handBack ? "hand-back" : "continue" });
    case "compact":
      return submit({ type: "compact", submissionId });
    case "change-compaction":
      return submit({
        type: "change-compaction",
        compaction: summaryAt(state, move.which),
        change: move.change === "edit" ? { type: "edit", summary: "What a user says it was." } : { type: move.change },
        submissionId,
      });
    case "configure":
      return submit({ type: "configure", config: settingsVariant(move.variant) });
    case "restart":
      return restarts;
    case "repeat":
      return history[move.which % Math.max(1, history.length)] ?? restarts;
    case "foreign":
      return foreign[move.which % foreign.length] ?? restarts;
    default:
      return unreachable(move);
  }
}

function rewinds({ keep, conversation, files }: Extract<Move, { type: "rewind" }>, submissionId: string): Stimulus {
  return submit({ type: "rewind", keepTurns: keep, conversation, files, submissionId });
}

function hooksEnd({ hooks }: SessionState, { which, answer: said }: Extract<Move, { type: "hooks" }>): Stimulus {
  const open = hooks?.open ?? [];
  const runId = open[which % Math.max(1, open.length)]?.runId ?? "nobody.h1";
  return { type: "hooks-ended", runId, outcomes: [], answer: said };
}

/** Some of the words ask for the last answer again. */
function words({ turns }: SessionState, { turn, content, steer, role }: Extract<Move, { type: "say" }>): Stimulus {
  const delivery = steer ? "steer" : "queue";
  const last = turn % 4 === 3 ? turns.at(-1) : undefined;
  const about = last === undefined ? {} : { follows: last.turnId };
  const submission = { type: "user-input", turnId: toTurnId(`t${turn}`), content, delivery, ...about } as const;
  return { type: "submission", submission, origin: tester, role: steer ? "drive" : role };
}

function queueChange({ queued }: SessionState, { which, change, content }: Extract<Move, { type: "queue" }>): Stimulus {
  const turnId = queued[which % Math.max(1, queued.length)]?.turnId ?? toTurnId("nobody");
  switch (change) {
    case "remove":
    case "now":
      return submit({ type: "queue-change", turnId, change: { type: change } });
    case "replace":
      return submit({ type: "queue-change", turnId, change: { type: "replace", content } });
    case "move":
      return submit({ type: "queue-change", turnId, change: { type: "move", before: queued[0]?.turnId ?? null } });
    default:
      return unreachable(change);
  }
}

const foreign: readonly Stimulus[] = [
  ends("call_nobody_made"),
  staged("call_nobody_made"),
  receives("other.s1", [{ type: "text-delta", delta: "not yours" }]),
  completes("other.s1", { type: "finish", message: message("not yours"), reason: "stop", usage: testUsage }),
  answers("1-other", { type: "approve", digest: "0" }),
  fires("other.deadline"),
];

function fromModel(state: SessionState, move: Extract<Move, { type: "receive" | "complete" | "fail" }>): Stimulus {
  const { stepId, attempt } = stepOf(state);
  switch (move.type) {
    case "receive":
      return receives(
        stepId,
        [
          { type: "thinking-delta", delta: move.thinking },
          { type: "text-delta", delta: move.text },
          { type: "unknown", what: "ping", raw: null },
        ],
        attempt,
      );
    case "complete":
      return completes(
        stepId,
        {
          type: "finish",
          reason: move.reason,
          usage: testUsage,
          message: message(
            ...thoughts(thinkingOf(move)),
            { type: "text", text: move.text },
            ...move.calls.map((made) => toCall(made)),
          ),
        },
        attempt,
      );
    case "fail":
      return fails(stepId, { retryable: move.retryable }, attempt);
    default:
      return unreachable(move);
  }
}

/** What comes of a summary that is made beside the turn. */
function besideTurn({ background }: SessionState, end: Extract<Move, { type: "summary" }>["end"]): Stimulus {
  const { stepId, attempt } = background ?? { stepId: "nobody.c1", attempt: 1 };
  const text = end === "is-long" ? "much was done, and more. ".repeat(500) : "Much was done.";
  const reason = end === "is-cut" ? "length" : "stop";
  switch (end) {
    case "writes":
    case "is-cut":
    case "is-long":
      return completes(stepId, { type: "finish", message: message(text), reason, usage: testUsage }, attempt);
    case "fails":
    case "breaks":
      return fails(stepId, { retryable: end === "breaks" }, attempt);
    case "ticks":
      return fires(`${stepId}.retry${attempt}`);
    default:
      return unreachable(end);
  }
}

/** A model that thinks does so before it pauses: what it continues with joins a message that begins with its thinking. */
function thinkingOf({ reason, thinking }: Extract<Move, { type: "complete" }>): string {
  return reason === "pause" && thinking.trim() === "" ? "let me pause" : thinking;
}

function thoughts(thinking: string): readonly AssistantBlock[] {
  return thinking.trim() === "" ? [] : [{ type: "thinking", text: thinking, signature: signThinking(thinking) }];
}

function toCall({ id, tool, path, malformed }: RandomCall): AssistantBlock {
  return {
    type: "tool-call",
    callId: callId(id),
    name: tool,
    arguments: malformed
      ? { type: "malformed", text: '{"path":', problem: "it ends too early" }
      : { type: "json", value: { path } },
  };
}

function fromTools(
  state: SessionState,
  move: Extract<Move, { type: "prepare" | "stage" | "print" | "ask" | "end" }>,
): Stimulus {
  const calls = callsOf(state);
  switch (move.type) {
    case "prepare":
      return prepareAll(state, move);
    case "stage":
      return staged(idOf(calls.find((pending) => pending.type === "allowed")));
    case "print":
      return prints(idOf(calls.find((pending) => pending.type === "running")), move.text);
    case "ask":
      return asks(idOf(runningAt(calls, move.which)));
    case "end": {
      const ending = runningAt(calls, move.which);
      return ends(idOf(ending), { outcome: move.outcome, ...effectsOf(ending) });
    }
    default:
      return unreachable(move);
  }
}

function runningAt(calls: readonly PendingCall[], which: number): PendingCall | undefined {
  const running = calls.filter((pending) => pending.type === "running");
  return running[which % Math.max(1, running.length)];
}

/** A call that changes files changes one, to a content of its own. */
function effectsOf(ending: PendingCall | undefined): { readonly effects?: readonly FileEffect[] } {
  if (ending?.type !== "running" || ending.action.effect === "read") return {};
  const path = ending.action.paths[0]?.real ?? "/work/made-by-a-command.txt";
  return { effects: [fileEffect(path, "old", `new-${ending.call.callId}`)] };
}

/** Every call that waits for its action gets one; unknown tools are refused, and one call more where `refused` says so. */
function prepareAll(state: SessionState, { refused, again }: Extract<Move, { type: "prepare" }>): Stimulus {
  const waiting = callsOf(state).filter(
    (pending) =>
      isUndecided(pending) ||
      pending.type === "deferred" ||
      (again && (pending.type === "asking" || pending.type === "allowed")),
  );
  const refusedId = refused === "no" ? undefined : waiting.at(refused === "tool" ? 0 : -1)?.call.callId;
  const entries = waiting.map(({ call }) => {
    const isTool = Object.hasOwn(toolEffects, call.name) || sessionTools.includes(call.name);
    const known = isTool && call.arguments.type === "json" && call.callId !== refusedId;
    const args = call.arguments.type === "json" ? call.arguments.value : {};
    const refusal = { type: "rejected", code: "tool.unknown", content: "Not run: there is no such tool." } as const;
    return [call.callId, known ? stagedAction(call.name, args, again) : refusal] as const;
  });
  return prepared(
    batchOf(state),
    Object.fromEntries(entries),
    refused === "workspace" ? toolEffects["change"] : undefined,
  );
}

/** What writes says what comes of it; on another ground that is something else. */
function stagedAction(tool: string, args: JsonObject, isOther: boolean): Action {
  if (toolEffects[tool] !== "write") return action(tool, args);
  return action(tool, args, { files: [{ path: "/work/a.txt", before: null, after: isOther ? "other" : "new" }] });
}

function isUndecided(pending: PendingCall): boolean {
  return pending.type === "new" || (pending.type === "asking" && pending.interaction === null);
}

function answer(state: SessionState, which: number, word: Word): Stimulus {
  const interaction = pendingAt(state, which);
  return answers(interaction?.id ?? "1-nobody", toAnswer(interaction, word));
}

function summaryAt({ summaries }: SessionState, which: number): StepId {
  return summaries[which % Math.max(1, summaries.length)]?.stepId ?? toStepId("session.c1");
}

function pendingAt(state: SessionState, which: number): Interaction | undefined {
  const pending = state.config === null ? [] : snapshot(state, 0).pending;
  return pending[which % Math.max(1, pending.length)];
}

function toAnswer(interaction: Interaction | undefined, word: Word): InteractionAnswer {
  if (word === "approve-other") return { type: "approve", digest: "not-this-one" };
  const digest = interaction?.digest ?? "none";
  switch (word) {
    case "approve":
      return { type: "approve", digest };
    case "approve-session":
      return { type: "approve", digest, scope: "session" };
    case "edit":
      return { type: "edit", digest, arguments: { path: "edited.txt" } };
    case "reply":
      return { type: "reply", answers: [["so"]] };
    case "proceed":
    case "proceed-clean":
    case "adjust":
    case "cancel":
      return { type: "plan", digest, decision: word };
    default:
      return { type: word };
  }
}

function turnOf({ operation }: SessionState): string {
  return "turn" in operation ? operation.turn.turnId : "nobody";
}

function stepOf({ operation }: SessionState): { readonly stepId: StepId | string; readonly attempt: number } {
  if (operation.type === "streaming") return operation.step;
  return operation.type === "summarizing" || operation.type === "compacting"
    ? operation
    : { stepId: "nobody.s1", attempt: 1 };
}

function retryTimer(state: SessionState): string {
  const { stepId, attempt } = stepOf(state);
  return `${stepId}.retry${attempt}`;
}

function batchOf({ operation }: SessionState): string {
  return "batch" in operation ? operation.batch.stepId : "nobody.s1";
}

function callsOf({ operation }: SessionState): readonly PendingCall[] {
  return "batch" in operation ? operation.batch.calls : [];
}

function idOf(pending: PendingCall | undefined): string {
  return pending?.call.callId ?? "nobody";
}
