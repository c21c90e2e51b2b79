import { evolve, initialState } from "@capstan/engine";
import type { Checkpoints, Digest, SessionStore, ToolCatalog } from "@capstan/ports";
import type { ContextPart, JournalRecord, SessionConfig, SessionId } from "@capstan/protocol";
import { toSessionId, toTurnId, userText } from "@capstan/protocol";
import { createRedactor, ProviderHealth, type RuntimePorts, SessionRuntime } from "@capstan/runtime";
import { createMemoryStore } from "@capstan/storage";
import {
  FakeClock,
  noCheckpoints,
  opening,
  person,
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
  readonly secrets?: readonly string[];
  readonly checkpoints?: Checkpoints;
}

/** An open session with its world. */
export interface OpenWorld {
  readonly session: SessionRuntime;
  readonly store: SessionStore;
  readonly clock: FakeClock;
  readonly provider: ScriptedProvider;
  /** What was reported without stopping the session. */
  readonly reports: readonly unknown[];
}

export const sessionId: SessionId = toSessionId("session");

/** Opens the session as a host does: with what the store holds, or anew. Does not recover it. */
export async function openSession(world: World = {}): Promise<OpenWorld> {
  const { store = createMemoryStore(), clock = new FakeClock(), config = sessionConfig() } = world;
  const provider = scriptedProvider(world.script ?? []);
  const reports: unknown[] = [];
  const ports: RuntimePorts = {
    store,
    clock,
    chance: sequentialChance(),
    digest: sha256 satisfies Digest,
    context: { collect: async () => world.facts ?? [] },
    tools: world.tools ?? scriptedTools(),
    checkpoints: world.checkpoints ?? noCheckpoints,
    provider: async () => provider,
    health: world.health ?? new ProviderHealth(clock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
    redact: createRedactor(world.secrets ?? []),
    report: (error) => {
      reports.push(error);
    },
  };
  const events = await store.read(sessionId, 0);
  const state = events.map((event) => event.record).reduce(evolve, initialState);
  const seq = events.at(-1)?.seq ?? 0;
  const first = events.length === 0 ? opening(config) : [];
  const session = new SessionRuntime({ sessionId, seq, savedSeq: seq, state, opening: first }, person, ports);
  return { session, store, clock, provider, reports };
}

/** Sends a person's words. */
export function say(session: SessionRuntime, turn: string, text = `words of ${turn}`): Promise<void> {
  return session.submit({ type: "user-input", turnId: toTurnId(turn), content: userText(text) });
}

/** The journal as the store holds it. */
export async function journalOf(store: SessionStore): Promise<readonly JournalRecord[]> {
  return (await store.read(sessionId, 0)).map((event) => event.record);
}
