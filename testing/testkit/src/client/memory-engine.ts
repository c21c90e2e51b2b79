import {
  AppError,
  type ClientIdentity,
  type EngineClient,
  type FoundInteraction,
  type FoundFiles,
  type Frame,
  includesRole,
  type InboxEntry,
  type OpenOptions,
  type Presence,
  type Receipt,
  requireRole,
  type RewindPreview,
  type Role,
  type SessionClient,
  type SessionId,
  type SessionSummary,
  type SessionTarget,
  type Submission,
  toSessionId,
  toTurnId,
  type ContextReport,
  type FactsClient,
  type GrantsClient,
  type TrustClient,
  type ConversationPage,
} from "@capstan/protocol";
import { MemorySession } from "./memory-session.ts";
import { memorySessions } from "./memory-sessions.ts";
import { Changing, watched, whenChanged } from "./watched.ts";

/** The role that each submission takes; a mode is raised by who operates. */
const neededRoles: Readonly<Record<Submission["type"], Role>> = {
  "user-input": "ask",
  "run-for-user": "approve",
  cancel: "drive",
  "queue-change": "drive",
  answer: "approve",
  set: "drive",
  title: "drive",
  resume: "drive",
  compact: "drive",
  "change-compaction": "drive",
  rewind: "operate",
  unwind: "operate",
  "settle-proposals": "approve",
  "revoke-grant": "approve",
};

/**
 * An engine in memory, for what only needs somebody to talk to: journal, roles, queue, interactions, drafts and presence are real, the
 * model does as asked (`MemorySession`), and nothing outlives it.
 */
export function memoryEngine(): EngineClient {
  const sessions = new Map<SessionId, MemorySession>();
  const changing = new Changing();
  let ids = 0;
  const mint = (kind: string): string => {
    ids += 1;
    return `${kind}-${ids}`;
  };
  const known = (id: SessionId): MemorySession => {
    const session = sessions.get(id);
    if (session === undefined) throw new AppError("session.unknown", `there is no session ${id}`);
    return session;
  };
  const list = (): readonly SessionSummary[] => [...sessions.values()].map((session) => session.summary());
  const inbox = (): readonly InboxEntry[] => [...sessions.values()].flatMap((session) => entryOf(session));
  return {
    async open(target, options) {
      const session = target.type === "resume" ? known(target.id) : begin(target, options);
      return new MemoryClient(session, options.identity, mint("client"));
    },
    sessions: memorySessions({
      sessions,
      changing,
      known,
      list,
      mint,
      copy: (id, identity) => begin({ type: "fork", id }, { identity }).id,
    }),
    interactions: {
      list: async () => inbox(),
      find: async (idOrPrefix) => pendingOf(inbox(), idOrPrefix),
      watch: () => watched(changing, () => whenChanged(inbox)),
      answer: async ({ sessionId, interactionId }, answer, identity) =>
        submit(known(sessionId), { type: "answer", interactionId, answer }, identity),
    },
    grants: noGrants,
    facts: memoryFacts(mint),
    trust: noTrust,
    config: async () => [{ key: "app.model", value: "test/model-1", origin: "default" }],
    skills: async () => [{ name: "test", description: "For tests.", file: "/skills/test/SKILL.md", from: "user" }],
    problems: async () => null,
    doctor: async () => [{ name: "Node", verdict: "good", text: process.version }],
    models: async () => [{ name: "test/model-1", contextWindowTokens: 200_000 }],
    newTurnId: () => toTurnId(mint("turn")),
    close: async () => undefined,
  };

  function begin(
    target: Exclude<SessionTarget, { type: "resume" }>,
    { identity }: Pick<OpenOptions, "identity">,
  ): MemorySession {
    const copied = target.type === "fork" ? known(target.id).after(0) : [];
    const id = (target.type === "new" ? target.id : undefined) ?? toSessionId(mint("session"));
    const session = new MemorySession(id, () => changing.change());
    sessions.set(id, session);
    session.begin({ frontend: identity.frontend }, copied);
    if (target.type === "new" && target.title !== undefined)
      session.submit({ type: "title", title: target.title }, identity);
    return session;
  }
}

function pendingOf(entries: readonly InboxEntry[], idOrPrefix: string): FoundInteraction {
  const entry = entries.find(({ interaction }) => interaction.id.startsWith(idOrPrefix));
  if (entry !== undefined) return { type: "pending", entry };
  throw new AppError("interaction.unknown", `there is no interaction ${idOrPrefix}`);
}

function entryOf(session: MemorySession): readonly InboxEntry[] {
  const { id: sessionId, pending: interaction } = session;
  if (interaction === null) return [];
  const { title, cwd } = session.summary();
  return [{ sessionId, title, cwd, owner: null, interaction }];
}

function submit(session: MemorySession, submission: Submission, identity: ClientIdentity): Receipt {
  const raises = submission.type === "set" && (submission.settings.mode ?? "plan") !== "plan";
  const role = raises ? "operate" : neededRoles[submission.type];
  if (includesRole(identity.role, role)) return session.submit(submission, identity);
  return { type: "refused", code: "door.role", reason: `${submission.type} needs the role ${role}` };
}

class MemoryClient implements SessionClient {
  readonly id: SessionId;
  readonly identity: ClientIdentity;
  readonly recovery: SessionClient["recovery"];
  readonly fault: Promise<AppError> = new Promise(() => undefined);
  readonly #session: MemorySession;
  readonly #clientId: string;
  #isClosed = false;

  constructor(session: MemorySession, identity: ClientIdentity, clientId: string) {
    this.id = session.id;
    this.identity = identity;
    this.recovery = { after: session.seq, waits: false };
    this.#session = session;
    this.#clientId = clientId;
    const { frontend, user, role } = identity;
    session.present.set(clientId, { clientId, frontend, ...(user === undefined ? {} : { user }), role, since: 0 });
  }

  attach(after: number): AsyncIterable<Frame> {
    return watched<Frame>(this.#session.changing, () => this.#framesAfter(after));
  }

  #framesAfter(after: number): () => Frame | undefined | null {
    let last = after;
    let level = -1;
    let isFirst = true;
    let isOver = false;
    return () => {
      const session = this.#session;
      if (isOver) return null;
      if (this.#isClosed) {
        isOver = true;
        return { type: "closed", reason: "this client was closed" };
      }
      if (isFirst) {
        isFirst = false;
        return { type: "snapshot", snapshot: session.snapshot() };
      }
      const event = session.following(last);
      if (event !== undefined) {
        last = event.seq;
        return { type: "record", event };
      }
      if (level === session.seq) return undefined;
      level = session.seq;
      return { type: "live", seq: level };
    };
  }

  async submit(submission: Submission): Promise<Receipt> {
    return submit(this.#session, submission, this.identity);
  }

  async snapshot(): Promise<ReturnType<MemorySession["snapshot"]>> {
    return this.#session.snapshot();
  }

  async history(before: number | null, limit: number): Promise<Awaited<ReturnType<SessionClient["history"]>>> {
    return this.#session.page(before, limit);
  }

  async conversation(before: number | null, limit: number): Promise<ConversationPage> {
    const all = this.#session.conversation().slice(0, before ?? undefined);
    return { messages: all.slice(-limit), from: Math.max(0, all.length - limit) };
  }

  async draft(): Promise<Awaited<ReturnType<SessionClient["draft"]>>> {
    return this.#session.drafts.get(this.identity.user ?? "") ?? null;
  }

  async saveDraft(text: string | null): Promise<void> {
    const user = this.identity.user ?? "";
    if (text === null || text === "") this.#session.drafts.delete(user);
    else this.#session.drafts.set(user, { text, at: this.#session.seq });
  }

  async presence(): Promise<readonly Presence[]> {
    return [...this.#session.present.values()];
  }

  async owner(): Promise<Awaited<ReturnType<SessionClient["owner"]>>> {
    return { type: "here" };
  }

  async previewRewind(keepTurns: number): Promise<RewindPreview> {
    return { turns: this.#session.turns.slice(keepTurns), files: [], conflicts: [], left: [] };
  }

  async context(): Promise<ContextReport> {
    return {
      model: "memory/none",
      windowTokens: 128_000,
      answerTokens: 16_000,
      budgetTokens: 106_400,
      usedTokens: 0,
      isCounted: false,
      messages: 2 * this.#session.turns.length,
      parts: [],
      summaries: [],
      resultCharacters: null,
    };
  }

  async findFiles(text: string, limit: number): Promise<FoundFiles> {
    requireRole("session.findFiles", this.identity);
    const paths = ["src/main.ts", "src/other.ts"].filter((path) => path.includes(text));
    return { paths: paths.slice(0, limit), isPartial: false };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#session.present.delete(this.#clientId);
    this.#session.changing.change();
  }
}

const noGrants: GrantsClient = {
  list: async () => [],
  async revoke(_id, identity) {
    requireRole("grants.revoke", identity);
    return false;
  },
};

const noTrust: TrustClient = {
  questions: async () => [],
  async answer(_question, _answer, identity) {
    requireRole("trust.answer", identity);
    return false;
  },
};

/** Facts are remembered and not listed: what is found in them is a matter of the store. */
function memoryFacts(mint: (kind: string) => string): FactsClient {
  return {
    list: async () => [],
    async remember(words, identity) {
      requireRole("facts.remember", identity);
      const rest = { entities: [], files: [], source: null, at: 0, isStale: false } as const;
      return { id: mint("fact"), kind: "pinned", by: "user", ...words, ...rest };
    },
    async change(_id, _text, identity) {
      requireRole("facts.change", identity);
      return false;
    },
    async forget(_id, identity) {
      requireRole("facts.forget", identity);
      return false;
    },
  };
}
