import {
  type Action,
  type AssistantMessage,
  type CompactionRecord,
  type JournalRecord,
  type PermissionMode,
  type SessionEvent,
  type SessionId,
  type SessionTarget,
  type ToolCallId,
  type ToolOutcome,
  type UserContent,
} from "@capstan/protocol";
import type { OpenFor } from "./engine-options.ts";
import { EngineSession } from "./engine-session.ts";
import type { EngineTurn, TurnResult } from "./engine-turn.ts";

/** `user` and `role`: for whom the session is opened; a session that is open already has its own. */
export interface RunOptions extends OpenFor {
  /** A session to continue; a new one when left out. One that the program has opened stays open. */
  readonly session?: EngineSession | SessionId;
  /** `provider/id`: the session's from here on. */
  readonly model?: string;
  /** The session's from here on. */
  readonly mode?: PermissionMode;
  /** Cancels the turn when it aborts; what ran before stays. */
  readonly signal?: AbortSignal;
}

/** What a program is shown of a turn while it runs. What a callback throws is thrown by `result()` when the turn is over; the turn itself does not end. */
export interface RunCallbacks {
  readonly onText?: (piece: string) => void;
  readonly onThinking?: (piece: string) => void;
  /** A call that may run begins. */
  readonly onToolCall?: (call: StartedCall) => void;
  readonly onToolResult?: (result: { readonly callId: ToolCallId; readonly outcome: ToolOutcome }) => void;
  /** A whole answer of the model, its calls included. */
  readonly onResponse?: (message: AssistantMessage) => void;
  /** The same, with what it used and cost. */
  readonly onStepFinish?: (step: Extract<JournalRecord, { readonly type: "step-completed" }>) => void;
  /** From here on the model is shown a summary in place of older messages. */
  readonly onCompacted?: (record: Extract<CompactionRecord, { readonly type: "compaction-completed" }>) => void;
}

export interface StartedCall {
  readonly callId: ToolCallId;
  readonly action: Action;
}

/** A turn that `Engine.run` asked for: its events while it is iterated, its result for who waits for that. Both may be had, and repeatedly. */
export class EngineRun implements AsyncIterable<SessionEvent> {
  readonly #begun: Promise<Begun>;
  readonly #result: Promise<TurnResult>;

  constructor(
    words: string | readonly UserContent[],
    options: RunOptions & RunCallbacks,
    open: (target: SessionTarget) => Promise<EngineSession>,
  ) {
    this.#begun = begin(words, options, open);
    this.#result = carryOut(this.#begun, options);
    // Whoever waits or iterates receives the mistake; one that nobody looks at must not end the program.
    this.#begun.catch(() => undefined);
    this.#result.catch(() => undefined);
  }

  /** @throws AppError as `Engine.open`, and `usage.invalid` for a model or mode that is refused; whatever a callback threw */
  result(): Promise<TurnResult> {
    return this.#result;
  }

  /** The session that the turn is in. @throws as `Engine.open` */
  async sessionId(): Promise<SessionId> {
    return (await this.#begun).session.id;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<SessionEvent, void, undefined> {
    yield* (await this.#begun).turn;
    await this.#result;
  }
}

interface Begun {
  readonly session: EngineSession;
  readonly turn: EngineTurn;
  /** The session was opened for this turn. */
  readonly isOwn: boolean;
}

async function begin(
  words: string | readonly UserContent[],
  { session: given, signal, model, mode }: RunOptions,
  open: (target: SessionTarget) => Promise<EngineSession>,
): Promise<Begun> {
  signal?.throwIfAborted();
  const isOwn = !(given instanceof EngineSession);
  const session = isOwn ? await open(given === undefined ? { type: "new" } : { type: "resume", id: given }) : given;
  try {
    await session.set({ ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) });
    return { session, turn: session.send(words), isOwn };
  } catch (error) {
    if (isOwn) await session.close();
    throw error;
  }
}

async function carryOut(begun: Promise<Begun>, options: RunOptions & RunCallbacks): Promise<TurnResult> {
  const { session, turn, isOwn } = await begun;
  const cancel = (): void => void cancelTurn(session, turn);
  options.signal?.addEventListener("abort", cancel, { once: true });
  if (options.signal?.aborted === true) cancel();
  try {
    const problems = await callBack(turn, options);
    const result = await turn.result();
    if (problems.length > 0) throw problems[0];
    return result;
  } finally {
    options.signal?.removeEventListener("abort", cancel);
    if (isOwn) await session.close();
  }
}

/** It may wait for its turn, or have ended by itself meanwhile. */
async function cancelTurn({ client }: EngineSession, { id, receipt }: EngineTurn): Promise<void> {
  try {
    if ((await receipt).type !== "accepted") return;
    const cancel = { type: "cancel", reason: "interrupted", turnId: id, queued: "continue" } as const;
    if ((await client.submit(cancel)).type === "accepted") return;
    await client.submit({ type: "queue-change", turnId: id, change: { type: "remove" } });
  } catch {
    // A session that is closed or broken says so in the turn's own result.
  }
}

/** @returns what callbacks threw */
async function callBack(turn: EngineTurn, callbacks: RunCallbacks): Promise<readonly unknown[]> {
  const problems: unknown[] = [];
  const actions = new Map<ToolCallId, Action>();
  for await (const { record } of turn) {
    if (record.type === "tool-decided") actions.set(record.callId, record.action);
    try {
      notify(record, actions, callbacks);
    } catch (error) {
      problems.push(error);
    }
  }
  return problems;
}

function notify(record: JournalRecord, actions: ReadonlyMap<ToolCallId, Action>, callbacks: RunCallbacks): void {
  switch (record.type) {
    case "text-delta":
      return callbacks.onText?.(record.delta);
    case "thinking-delta":
      return callbacks.onThinking?.(record.delta);
    case "step-completed":
      callbacks.onResponse?.(record.message);
      return callbacks.onStepFinish?.(record);
    case "tool-started": {
      const action = actions.get(record.callId);
      return action === undefined ? undefined : callbacks.onToolCall?.({ callId: record.callId, action });
    }
    case "tool-finished":
      return callbacks.onToolResult?.({ callId: record.callId, outcome: record.outcome });
    case "compaction-completed":
      return callbacks.onCompacted?.(record);
    default:
      return undefined;
  }
}
