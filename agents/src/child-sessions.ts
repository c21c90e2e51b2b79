import type {
  AgentProfile,
  JournalRecord,
  Origin,
  SessionClient,
  SessionConfig,
  SessionEvent,
  SessionId,
  SessionSummary,
  ToolCallId,
  Workspace,
} from "@capstan/protocol";

/** A session that calls an agent, as it stands. */
export interface Caller {
  readonly config: SessionConfig;
  readonly workspace: Workspace;
  /** Who began the turn that is open. */
  readonly origin: Origin;
  /** In the open turn. USD and tokens. */
  readonly spent: { readonly costUsd: number; readonly tokens: number };
  /** What may be spent in the open turn; `null`: no bound. */
  readonly allowed: { readonly costUsd: number | null; readonly tokens: number | null };
  /** Calls of agents in the open batch that have not ended. */
  readonly openCalls: number;
}

/** A session that is to work for another. */
export interface ChildSession {
  readonly id: SessionId;
  readonly title: string;
  readonly spawnedBy: { readonly sessionId: SessionId; readonly callId: ToolCallId; readonly agent: string };
  /** What it runs under, the agent's profile in it. */
  readonly config: SessionConfig & { readonly agent: AgentProfile };
  /** Absent: that of its caller. */
  readonly workspace?: Workspace;
  readonly origin: Origin;
}

/** Where agents find the sessions they work for, and get their own. */
export interface ChildSessions {
  /** `undefined`: the session is not open in this process. */
  caller(id: SessionId): Caller | undefined;
  /** Whether a call still has no outcome: then whoever stops it gives the session back, and it will be called again. */
  isOpen(sessionId: SessionId, callId: ToolCallId): boolean;
  /** The session's id for a call: the same for the same call, and for no other. */
  idOf(sessionId: SessionId, callId: ToolCallId): SessionId;
  /** Opens the session, which begins unless it has begun before; what was open in it is carried on with. @throws AppError */
  open(child: ChildSession): Promise<SessionClient>;
  /** Opens an agent's session again; what was open in it is carried on with. @throws AppError */
  resume(id: SessionId): Promise<SessionClient>;
  /** A session whose first turn has not ended, and that called nobody before. */
  isNew(id: SessionId): boolean;
  list(): Promise<readonly SessionSummary[]>;
  /** All that is kept of a session. */
  events(id: SessionId): Promise<readonly SessionEvent[]>;
  /** Hands over what happens in a session that is open here. @returns ends it */
  follow(id: SessionId, listener: (record: JournalRecord) => void): () => void;
  /** The model of that name, as `SessionConfig` has it. @throws AppError `model.unknown`, `provider.auth` */
  modelNamed(name: string): SessionConfig["model"];
  /** Our name of a tool that has this name here or with another agent; `undefined`: there is none. */
  toolNamed(name: string): string | undefined;
}
