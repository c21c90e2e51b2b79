import type { SessionState } from "@capstan/session";
import type { Effect, Stimulus } from "@capstan/engine";
import type { Message, ModelRequest, SessionConfig } from "@capstan/protocol";
import {
  action,
  call,
  callAnswer,
  completes,
  ends,
  fails,
  packed,
  type Played,
  playOn,
  prepared,
  restarts,
  says,
  sessionConfig,
  testUsage,
  textAnswer,
} from "@capstan/testkit";
import { expect } from "vitest";

/** A vendor that counts otherwise than anybody guesses, and refuses what is too long. */
export interface Vendor {
  readonly windowTokens: number;
  readonly charactersPerToken: number;
  /** What it does when it is asked for a summary. */
  readonly summary: "writes" | "refuses" | "is-cut";
}

export interface Turn {
  readonly words: string;
  /** The lengths of what the tool says, a call and a round each. */
  readonly results: readonly number[];
  /** The process dies once while this turn's summary, or answer, is made. */
  readonly killed?: boolean;
}

export const firstRequest = "Please port the harbour module to the new tide tables.";
export const rule = "You must never rename a public function of the harbour module.";

/** Plays whole turns against a vendor; every request that was sent is kept, with whether it was taken. */
export function converse(
  played: Played,
  turns: readonly Turn[],
  vendor: Vendor,
): { played: Played; sent: readonly Sent[] } {
  const sent: Sent[] = [];
  let now = played;
  let open: readonly CallModel[] = [];
  for (const turn of turns) {
    // Only the state is needed of what lies behind: a thousand turns are long.
    if (turns.length > 200) now = { ...now, journal: [], moves: [], effects: [] };
    const id = `t${now.state.turnIds.length + 1}`;
    now = playOn(now, says(id, turn.words));
    let round = 0;
    let mayDie = turn.killed === true;
    for (let moves = 0; now.state.operation.type !== "idle"; moves += 1) {
      expect(moves).toBeLessThan(1000);
      if (moves > 0) open = [...open, ...now.last.effects.filter((effect) => effect.type === "call-model")];
      if (mayDie && (now.state.operation.type === "compacting" || moves > 3)) {
        mayDie = false;
        open = [];
        now = playOn(now, restarts);
        continue;
      }
      // What is asked beside the turn is answered after a while.
      const beside = now.state.background?.stepId;
      const asked = open.find(({ stepId }) => stepId !== beside || moves % 4 === 3);
      open = open.filter((each) => each !== asked);
      const answer: Stimulus | null =
        asked === undefined ? withoutModel(now.state, id, turn, round) : reply(asked, turn, round, { vendor, sent });
      if (answer === null) continue;
      if (answer.type === "model-finished" && answer.finish.reason === "tool-calls") round += 1;
      now = playOn(now, answer);
    }
  }
  return { played: now, sent };
}

export interface Sent {
  readonly stepId: string;
  readonly request: ModelRequest;
  readonly tokens: number;
  readonly isTaken: boolean;
}

type CallModel = Extract<Effect, { type: "call-model" }>;

function reply(
  asked: CallModel,
  turn: Turn,
  round: number,
  { vendor, sent }: { readonly vendor: Vendor; readonly sent: Sent[] },
): Stimulus {
  const { stepId, attempt, request } = asked;
  const text = JSON.stringify([request.system, request.tools, request.messages]);
  const tokens = Math.ceil(text.length / vendor.charactersPerToken);
  const isTaken = tokens + request.maxOutputTokens <= vendor.windowTokens;
  sent.push({ stepId, request, tokens, isTaken });
  if (!isTaken) {
    const message = `prompt is too long: ${tokens} tokens > ${vendor.windowTokens} maximum`;
    return fails(stepId, { code: "provider.context", message, retryable: false }, attempt);
  }
  const usage = { ...testUsage, inputTokens: tokens, outputTokens: 20 };
  if (/\.c\d+$/.test(stepId)) {
    if (vendor.summary === "refuses") return fails(stepId, { retryable: false }, attempt);
    if (vendor.summary === "is-cut")
      return completes(stepId, textAnswer("half a", { usage, reason: "length" }), attempt);
    return completes(stepId, textAnswer("Work was done on many files.", { usage }), attempt);
  }
  if (round >= turn.results.length) return completes(stepId, textAnswer(`Done with ${stepId}.`, { usage }), attempt);
  return completes(stepId, callAnswer([call(`${stepId}c`, "look", { path: `${stepId}.txt` })], { usage }), attempt);
}

/** What the tools and the workspace give back. */
function withoutModel(state: SessionState, id: string, turn: Turn, round: number): Stimulus | null {
  const { operation } = state;
  if (operation.type === "preparing") return packed(id, { instructions: "AGENTS.md says: spaces, no tabs." });
  if (operation.type !== "tool-loop") return null;
  const pending = operation.batch.calls[0];
  if (pending === undefined) return null;
  const { callId } = pending.call;
  if (pending.type === "new") return prepared(operation.batch.stepId, { [callId]: action("look", { path: callId }) });
  const content = `${callId} `.repeat(1 + Math.floor((turn.results[round - 1] ?? 0) / (callId.length + 1)));
  return ends(callId, { outcome: { type: "done", content } });
}

export function config(windowTokens: number): SessionConfig {
  const { model, ...rest } = sessionConfig();
  return sessionConfig({
    ...rest,
    model: {
      ...model,
      contextWindowTokens: windowTokens,
      maxOutputTokens: Math.min(4096, Math.floor(windowTokens / 4)),
    },
  });
}

export function lastOf(sent: readonly Sent[]): ModelRequest {
  const last = sent.at(-1);
  if (last === undefined) throw new Error("nothing was sent");
  return last.request;
}

export function textOf(request: ModelRequest): string {
  return JSON.stringify(request.messages);
}

export const many = (count: number, size: number): readonly Turn[] =>
  Array.from({ length: count }, (_, index) => ({
    words: index === 0 ? firstRequest : index === 2 ? rule : `Now file number ${index}.`,
    results: [size, size],
  }));

export const plain: Vendor = { windowTokens: 32_000, charactersPerToken: 3.3, summary: "writes" };

/** What a vendor refuses whatever its window is. */
export function problems(messages: readonly Message[]): readonly string[] {
  const found: string[] = messages.length === 0 || messages[0]?.role !== "user" ? ["does not begin with the user"] : [];
  for (const [index, message] of messages.entries()) {
    if (message.content.length === 0) found.push(`message ${index} is empty`);
    const calls = message.content.flatMap((block) => (block.type === "tool-call" ? [block.callId] : []));
    const next =
      messages[index + 1]?.content.flatMap((block) => (block.type === "tool-result" ? [block.callId] : [])) ?? [];
    if (calls.length > 0 && calls.join() !== next.slice(0, calls.length).join())
      found.push(`call ${index} has no result`);
  }
  return found;
}
