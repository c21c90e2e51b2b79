import type {
  Check,
  FileProblem,
  ClientIdentity,
  ConfigEntry,
  ConversationPage,
  Draft,
  FoundInteraction,
  ExportOptions,
  FoundFiles,
  FactQuery,
  FactWords,
  Grant,
  HistoryPage,
  ImportReport,
  InboxEntry,
  InteractionAnswer,
  InteractionId,
  KnownFact,
  ModelEntry,
  OpenOptions,
  Presence,
  QueueChange,
  Receipt,
  RecoveryReport,
  ProposalsRequest,
  RewindPreview,
  RewindReport,
  RewindRequest,
  Role,
  SessionEvent,
  SessionFile,
  SessionId,
  SessionOwner,
  SessionSnapshot,
  SessionSummary,
  Submission,
  Skill,
  TrustRequest,
  TurnId,
  ContextReport,
} from "@capstan/protocol";

/** What a client says of itself. It can lower its role, never raise it. */
export interface NamedClient {
  readonly role?: Role;
  readonly user?: string;
  readonly frontend?: string;
}

/** Which of a connection's open sessions is meant; with `client` the one that this opening gave, else the first one of the session. */
export interface InSession {
  readonly sessionId: SessionId;
  readonly client?: string;
}

/** A request on somebody's behalf. */
export interface Named {
  readonly identity?: NamedClient;
}

/** How a session is opened by a request. */
export interface OpenParams extends Named, Partial<Pick<OpenOptions, "purpose" | "resume">> {}

/** An open session, as a connection holds it. */
export interface OpenedSession {
  readonly sessionId: SessionId;
  /** Names this opening in further requests. */
  readonly client: string;
  readonly identity: ClientIdentity;
  readonly recovery: RecoveryReport;
}

/** The answer to a request that begins a stream of events: they carry this name. */
export interface StreamName {
  readonly stream: string;
}

interface Hello {
  readonly name: "capstan";
  readonly version: string;
  /** Of the lines. */
  readonly protocol: 1;
  readonly identity: ClientIdentity;
}

type Nothing = Record<string, never>;

/** Parameters and result of every operation. */
export interface OperationTypes {
  readonly hello: { params: NamedClient; result: Hello };
  readonly "sessions.list": { params: Nothing; result: { readonly sessions: readonly SessionSummary[] } };
  readonly "sessions.watch": { params: Nothing; result: StreamName };
  readonly "sessions.resolve": { params: { readonly name: string }; result: { readonly sessionId: SessionId } };
  readonly "sessions.read": {
    params: { readonly sessionId: SessionId; readonly after: number; readonly limit?: number };
    result: { readonly events: readonly SessionEvent[] };
  };
  readonly "sessions.history": {
    params: { readonly sessionId: SessionId; readonly before: number | null; readonly limit: number };
    result: HistoryPage;
  };
  readonly "sessions.create": {
    params: OpenParams & { readonly id?: SessionId; readonly title?: string };
    result: OpenedSession;
  };
  readonly "sessions.open": { params: OpenParams & { readonly sessionId: SessionId }; result: OpenedSession };
  readonly "sessions.fork": { params: OpenParams & { readonly sessionId: SessionId }; result: OpenedSession };
  readonly "sessions.rename": { params: InSession & { readonly title: string }; result: Receipt };
  readonly "sessions.copy": {
    params: Named & { readonly sessionId: SessionId };
    result: { readonly sessionId: SessionId };
  };
  readonly "sessions.delete": { params: Named & { readonly sessionId: SessionId }; result: Nothing };
  readonly "sessions.export": {
    params: Named & ExportOptions & { readonly sessionId: SessionId; readonly window?: number };
    result: StreamName;
  };
  readonly "sessions.import": { params: Named & SessionFile & { readonly text: string }; result: ImportReport };
  readonly "sessions.rewind": {
    params: Named & { readonly sessionId: SessionId; readonly request: RewindRequest };
    result: RewindReport;
  };
  readonly "sessions.proposals": {
    params: Named & { readonly sessionId: SessionId; readonly request: ProposalsRequest };
    result: RewindReport;
  };
  readonly "sessions.check": {
    params: { readonly sessionId: SessionId };
    result: { readonly checks: readonly Check[] };
  };
  readonly "sessions.close": { params: InSession; result: Nothing };
  readonly attach: { params: InSession & { readonly after: number; readonly window?: number }; result: StreamName };
  readonly taken: { params: StreamName & { readonly characters: number }; result: Nothing };
  readonly detach: { params: { readonly stream?: string; readonly sessionId?: SessionId }; result: Nothing };
  readonly submit: { params: InSession & { readonly submission: Submission }; result: Receipt };
  readonly "queue.change": {
    params: InSession & { readonly turnId: TurnId; readonly change: QueueChange };
    result: Receipt;
  };
  readonly snapshot: { params: InSession; result: { readonly snapshot: SessionSnapshot } };
  readonly history: {
    params: InSession & { readonly before: number | null; readonly limit: number };
    result: HistoryPage;
  };
  readonly conversation: {
    params: InSession & { readonly before: number | null; readonly limit: number };
    result: ConversationPage;
  };
  readonly "draft.read": { params: InSession; result: { readonly draft: Draft | null } };
  readonly "draft.save": { params: InSession & { readonly text: string | null }; result: Nothing };
  readonly presence: { params: InSession; result: { readonly present: readonly Presence[] } };
  readonly owner: { params: InSession; result: { readonly owner: SessionOwner } };
  readonly "rewind.preview": { params: InSession & { readonly keepTurns: number }; result: RewindPreview };
  readonly context: { params: InSession; result: { readonly context: ContextReport | null } };
  readonly "files.find": {
    params: InSession & { readonly text: string; readonly limit: number };
    result: FoundFiles;
  };
  readonly "interactions.list": { params: Nothing; result: { readonly entries: readonly InboxEntry[] } };
  readonly "interactions.find": { params: { readonly name: string }; result: { readonly found: FoundInteraction } };
  readonly "interactions.watch": { params: Nothing; result: StreamName };
  readonly "interactions.answer": {
    params: Named & {
      readonly sessionId: SessionId;
      readonly interactionId: InteractionId;
      readonly answer: InteractionAnswer;
    };
    result: Receipt;
  };
  readonly "grants.list": { params: Nothing; result: { readonly grants: readonly Grant[] } };
  readonly "grants.revoke": {
    params: Named & { readonly grantId: string };
    result: { readonly revoked: boolean };
  };
  readonly "facts.list": { params: FactQuery; result: { readonly facts: readonly KnownFact[] } };
  readonly "facts.remember": { params: Named & FactWords; result: { readonly fact: KnownFact } };
  readonly "facts.change": {
    params: Named & { readonly factId: string; readonly text: string };
    result: { readonly changed: boolean };
  };
  readonly "facts.forget": {
    params: Named & { readonly factId: string };
    result: { readonly forgotten: boolean };
  };
  readonly "trust.list": { params: Nothing; result: { readonly questions: readonly TrustRequest[] } };
  readonly "trust.answer": {
    params: Named & { readonly folder: string; readonly digest: string; readonly answer: "trust" | "not-now" };
    result: { readonly counted: boolean };
  };
  readonly "skills.list": { params: Nothing; result: { readonly skills: readonly Skill[] } };
  readonly "config.get": { params: Nothing; result: { readonly entries: readonly ConfigEntry[] } };
  readonly doctor: { params: Nothing; result: { readonly checks: readonly Check[] } };
  readonly "problems.list": {
    params: { readonly sessionId: SessionId };
    result: { readonly problems: readonly FileProblem[] | null };
  };
  readonly "models.list": { params: Nothing; result: { readonly models: readonly ModelEntry[] } };
}

export type OperationId = keyof OperationTypes;
export type Params<Id extends OperationId> = OperationTypes[Id]["params"];
export type Result<Id extends OperationId> = OperationTypes[Id]["result"];
