import { evolve, initialState } from "@capstan/session";
import type { Checkpoints, Digest, SessionStore, ToolCatalog } from "@capstan/ports";
import type { ContextPart, JournalRecord, SessionConfig, SessionId } from "@capstan/protocol";
import { toSessionId, toTurnId, userText, type Receipt } from "@capstan/protocol";
import {
  createRedactor,
  ProviderHealth,
  SessionRuntime,
  type ActionPorts,
  type DecisionPorts,
  type OpenedJournal,
  type WriteLease,
} from "@capstan/runtime";
import { createMemoryStore } from "@capstan/storage";
import {
  FakeClock,
  noCheckpoints,
  opening,
  tester,
  type ScriptedCall,
  type ScriptedProvider,
  scriptedProvider,
  scriptedTools,
  sequentialChance,
  sessionConfig,
  sha256,
} from "@capstan/testkit";

/** What a test says about the world of a session; everything else is quiet. */
export interface World {
  readonly script?: readonly ScriptedCall[];
  readonly store?: SessionStore;
  readonly tools?: ToolCatalog;
  readonly config?: SessionConfig;
  readonly clock?: FakeClock;
  readonly facts?: readonly ContextPart[];
  readonly health?: ProviderHealth;
  readonly callLimitMs?: number;
  readonly secrets?: readonly string[];
  readonly checkpoints?: Checkpoints;
  readonly lease?: WriteLease;
  /** As if so many records had come since a copy of the state was saved. */
  readonly unsavedRecords?: number;
}

/** An open session with its world. */
export interface OpenWorld {
  readonly session: SessionRuntime;
  readonly store: SessionStore;
  readonly clock: FakeClock;
  readonly provider: ScriptedProvider;
  readonly action: ActionPorts;
  /** Settles what is in flight, and acts from then on; a session that opens with nothing in flight acts already. */
  recover(): Promise<void>;
  /** What was reported without stopping the session. */
  readonly reports: readonly unknown[];
}

export const sessionId: SessionId = toSessionId("session");

/** Opens the session as a host does: with what the store holds, or as a new one. What is in flight waits for `recover`. */
export async function openSession(world: World = {}): Promise<OpenWorld> {
  const { store = createMemoryStore(), clock = new FakeClock(), config = sessionConfig() } = world;
  const provider = scriptedProvider(world.script ?? []);
  const reports: unknown[] = [];
  const ports: DecisionPorts = {
    store,
    clock,
    chance: sequentialChance(),
    redact: createRedactor(world.secrets ?? []),
    report: (error) => {
      reports.push(error);
    },
  };
  const action: ActionPorts = {
    tools: world.tools ?? scriptedTools(),
    digest: sha256 satisfies Digest,
    checkpoints: world.checkpoints ?? noCheckpoints,
    model: {
      context: { collect: async () => world.facts ?? [] },
      provider: async () => provider,
      health: world.health ?? new ProviderHealth(clock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
      callLimitMs: world.callLimitMs ?? 600_000,
    },
  };
  const session = new SessionRuntime(await openJournal(store, config, world), tester, ports);
  if (session.snapshot().activity.type === "idle") await session.recover(action);
  return { session, store, clock, provider, reports, action, recover: () => session.recover(action) };
}

/** What the store holds, or the beginning of a journal. */
async function openJournal(
  store: SessionStore,
  config: SessionConfig,
  { lease, unsavedRecords = 0 }: World,
): Promise<OpenedJournal> {
  const events = await store.read(sessionId, 0);
  const state = events.map((event) => event.record).reduce(evolve, initialState);
  const seq = events.at(-1)?.seq ?? 0;
  const first = events.length === 0 ? opening(config) : [];
  const opened = { sessionId, seq, savedSeq: seq - unsavedRecords, state, opening: first };
  return lease === undefined ? opened : { ...opened, lease };
}

/** Sends a user's words. */
export function say(session: SessionRuntime, turn: string, text = `words of ${turn}`): Promise<Receipt> {
  return session.submit({ type: "user-input", turnId: toTurnId(turn), content: userText(text) });
}

/** The journal as the store holds it. */
export async function journalOf(store: SessionStore): Promise<readonly JournalRecord[]> {
  return (await store.read(sessionId, 0)).map((event) => event.record);
}
