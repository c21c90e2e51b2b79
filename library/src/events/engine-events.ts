import type { Interaction, JsonObject, SessionId, ToolCallId, TurnId, TurnOutcome } from "@capstan/protocol";

interface OfSession {
  readonly sessionId: SessionId;
}

/** A call of a tool. `tool` and `input` are absent where an earlier process of the session received the call. */
export interface CallEvent extends OfSession {
  readonly callId: ToolCallId;
  readonly tool?: string;
  readonly input?: JsonObject;
}

/** Something is asked. Its `request` says what. */
export interface AskedEvent extends OfSession {
  readonly interaction: Interaction;
}

/** How that ended. `answer`: its type, or `void` and `expired`; `by`: who answered, where that is known. */
export interface AnsweredEvent extends AskedEvent {
  readonly answer: string;
  readonly by?: string;
}

/** What an engine lets its program know, by name. The sessions of agents are among those of the engine. */
export interface EngineEventMap {
  /** It is ready. */
  readonly "engine.started": { readonly home: string; readonly cwd: string };
  /** It was shut down, and nothing of it runs. */
  readonly "engine.stopped": Readonly<Record<string, never>>;
  /** Words reach the model: they begin a turn, or steer the open one. */
  readonly "message.in": OfSession & {
    readonly turnId: TurnId;
    readonly frontend: string;
    readonly user?: string;
    readonly text: string;
  };
  /** A turn has ended; `text` is the model's last message in it. */
  readonly "message.out": OfSession & { readonly turnId: TurnId; readonly outcome: TurnOutcome; readonly text: string };
  /** The gatekeeper judges a call; what it found follows. */
  readonly "tool.gated": CallEvent;
  /** The call may run: by the rules and the mode, or because a user approved it. */
  readonly "tool.allowed": CallEvent & { readonly via: "policy" | "approval" };
  /** The call does not run: by the rules, a hook or a user, or because nobody could be asked. */
  readonly "tool.denied": CallEvent & { readonly by: string; readonly reason: string };
  readonly "approval.requested": AskedEvent;
  readonly "approval.resolved": AnsweredEvent;
  /** A question of the model, a plan, a limit or a call in doubt waits for a user. */
  readonly "interaction.requested": AskedEvent;
  readonly "interaction.resolved": AnsweredEvent;
}

export type EngineEventName = keyof EngineEventMap;

/** Where a program listens to its engine. */
export interface EngineEvents {
  /**
   * The handler is called for each event of that name from now on, in order, after it became durable. It receives a copy of its own; what it
   * throws is reported, and neither the engine nor another handler notices. @returns ends it
   */
  on<Name extends EngineEventName>(name: Name, handler: EngineEventHandler<Name>): () => void;
}

export type EngineEventHandler<Name extends EngineEventName> = (event: EngineEventMap[Name]) => void | Promise<void>;

const names: Readonly<Record<EngineEventName, true>> = {
  "engine.started": true,
  "engine.stopped": true,
  "message.in": true,
  "message.out": true,
  "tool.gated": true,
  "tool.allowed": true,
  "tool.denied": true,
  "approval.requested": true,
  "approval.resolved": true,
  "interaction.requested": true,
  "interaction.resolved": true,
};

/** Events that only the engine emits. */
export function isEngineEvent(name: string): name is EngineEventName {
  return Object.hasOwn(names, name);
}
