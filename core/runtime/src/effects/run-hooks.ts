import { configNow, openTurnOf, type SessionState } from "@capstan/session";
import type { Effect, Stimulus } from "@capstan/engine";
import { hookPoint } from "@capstan/hook-points";
import type { HookReport, HookRequest } from "@capstan/ports";
import { type HookResult, type JsonObject, messageOf } from "@capstan/protocol";
import type { ActionPorts, DecisionPorts } from "../runtime-ports.ts";
import { redactAnswer } from "../redact-outcome.ts";

type RunHooks = Extract<Effect, { type: "run-hooks" }>;

/** Runs hooks whose intent is durable, and says what came of it. Whoever stops them receives nothing. */
export async function runHooks(
  effect: RunHooks,
  state: SessionState,
  ports: Pick<ActionPorts & DecisionPorts, "hooks" | "redact">,
  signal: AbortSignal,
): Promise<Stimulus | undefined> {
  const { runId, event, entries } = effect;
  const { sessionId, workspace } = state;
  const mode = configNow(state)?.mode;
  if (sessionId === null || workspace === null || mode === undefined) return undefined;
  const request: HookRequest = { event, entries, facts: factsFor(effect, state), sessionId, workspace, mode };
  const report = await reportOf(request, ports, signal);
  if (signal.aborted) return undefined;
  const { redact } = ports;
  const outcomes = report.outcomes.map((outcome) =>
    outcome.message === undefined ? outcome : { ...outcome, message: redact(outcome.message) },
  );
  const answer = redactAnswer(report.answer, redact);
  return { type: "hooks-ended", runId, outcomes, answer };
}

async function reportOf(
  request: HookRequest,
  { hooks }: Pick<ActionPorts, "hooks">,
  signal: AbortSignal,
): Promise<HookReport> {
  const { entries } = request;
  const outcomesOf = (result: HookResult, message: string): HookReport["outcomes"] =>
    entries.map(({ id, name, by }) => ({ id, name, by, result, message, durationMs: 0 }));
  const ask = (reason: string): HookReport["answer"] =>
    hookPoint(request.event).may.includes("verdict") ? { verdict: { verdict: "ask", reason, by: "user" } } : {};
  if (hooks === undefined) {
    const reason = "A hook is to be asked about this call, and this process runs none.";
    return { outcomes: outcomesOf("not-run", "this process runs no hooks"), answer: ask(reason) };
  }
  try {
    return await hooks.run(request, signal);
  } catch (error) {
    return { outcomes: outcomesOf("not-run", messageOf(error)), answer: ask("A hook could not be asked about it.") };
  }
}

/** What hooks are shown: the moment's own facts, and what the session knows of the turn and the call. */
function factsFor({ runId, facts }: RunHooks, state: SessionState): JsonObject {
  const turn = openTurnOf(state);
  const run = state.hooks?.open.find((open) => open.runId === runId);
  const agent = state.config?.agent?.name;
  const last = state.conversation.findLast(({ role }) => role === "assistant");
  const prompt = textOf(turn?.content ?? []);
  return {
    ...(prompt === "" ? {} : { prompt }),
    ...(last === undefined ? {} : { lastAnswer: textOf(last.content) }),
    ...(agent === undefined ? {} : { agent }),
    pushes: state.hooks?.pushes ?? 0,
    ...(run?.callId === undefined ? {} : { callId: run.callId, ...callFacts(state, run.callId) }),
    ...facts,
  };
}

function callFacts({ operation }: SessionState, callId: string): JsonObject {
  const calls = operation.type === "tool-loop" ? operation.batch.calls : [];
  const found = calls.find(({ call }) => call.callId === callId);
  if (found === undefined || !("action" in found) || found.action === null) return {};
  return { tool: found.action.tool, arguments: found.action.arguments };
}

function textOf(content: readonly { readonly type: string }[]): string {
  return content.flatMap((block) => ("text" in block && block.type === "text" ? [String(block.text)] : [])).join("\n");
}
