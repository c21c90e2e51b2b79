/** The real hub over a store in memory and a clock that stands still: thousands of rounds, all of them at the same millisecond. */
import { SessionHub, StoreWatch } from "@capstan/hub";
import { AppError, type EngineClient, type ModelSettings, type SessionConfig } from "@capstan/protocol";
import { RemoteEngine, serveEngine } from "@capstan/remote";
import { createRedactor, type DecisionPorts, ProviderHealth } from "@capstan/runtime";
import { sessionSettings } from "@capstan/settings";
import { createMemoryStore } from "@capstan/storage";
import {
  FakeClock,
  noCheckpoints,
  scriptedTools,
  sequentialChance,
  sessionConfig,
  sha256,
  testWorkspace,
} from "@capstan/testkit";
import { connected } from "../../../core/remote/test/pipe.ts";
import { hubInteractions } from "../../src/hub/hub-interactions.ts";
import { hubFacts } from "../../src/hub/hub-facts.ts";
import { LocalEngine } from "../../src/session/local-engine.ts";
import { SessionArchive } from "../../src/session/session-archive.ts";
import { obedientProviders, type Piece } from "./obedient-model.ts";

export interface MemoryHub {
  readonly clock: FakeClock;
  /** In this process. */
  readonly local: EngineClient;
  /** The same, as another process sees it: over lines. */
  remote(): Promise<EngineClient>;
  close(): Promise<void>;
}

/** Sessions whose model is the obedient one; `act` is asked for. */
export function memoryHub(piece?: Piece): MemoryHub {
  const clock = new FakeClock();
  const ports: DecisionPorts = {
    store: createMemoryStore(),
    clock,
    chance: sequentialChance(),
    redact: createRedactor([]),
    report: () => undefined,
  };
  const config = sessionConfig({ mode: "default", askPolicy: "ask" });
  const local = hubOver(
    ports,
    new LocalEngine({ ports, version: "1.2.3", parts: async () => partsOf(config, clock, piece) }),
  );
  return {
    clock,
    local,
    async remote() {
      const { client, server } = connected();
      const identity = { frontend: "socket", role: "operate" } as const;
      void serveEngine(local, server, { identity, mayName: true, version: "1.2.3", processId: 1 });
      return await RemoteEngine.connect(client);
    },
    close: () => local.close(),
  };
}

function partsOf(config: SessionConfig, clock: FakeClock, piece: Piece | undefined) {
  const provider = obedientProviders(piece)["scripted"]?.create();
  if (provider === undefined) throw new Error("the obedient model is missing");
  const named = (name: string): ModelSettings => {
    const [, id = name] = name.split("/");
    return { ...config.model, id };
  };
  const settings = sessionSettings({
    loaded: { keys: new Map(), origins: new Map() },
    choose: () => config,
    named,
    requireProvider: () => undefined,
    withModel: (choice) => ({ ...config, ...choice }),
  });
  return {
    workspace: testWorkspace,
    settings,
    action: {
      tools: scriptedTools(),
      digest: sha256,
      checkpoints: noCheckpoints,
      model: {
        context: { collect: async () => [] },
        provider: async () => provider,
        health: new ProviderHealth(clock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
        callLimitMs: 600_000,
      },
    },
  };
}

function hubOver(ports: DecisionPorts, opener: LocalEngine): SessionHub {
  const { store, clock, redact } = ports;
  const archive = new SessionArchive(store);
  const watch = new StoreWatch(store, clock);
  const hub: SessionHub = new SessionHub({
    opener,
    archive,
    store,
    clock,
    redact,
    sockets: null,
    report: () => undefined,
    sessions: {
      list: () => archive.list(),
      watch: notHere,
      history: notHere,
      copy: notHere,
      delete: notHere,
      export: notHere,
      import: notHere,
      rewind: notHere,
      settleProposals: notHere,
      check: notHere,
      read: (id, after, limit) => archive.readShown(id, { after, limit, redact }),
      resolve: (idOrName) => archive.resolve(idOrName),
    },
    interactions: hubInteractions({
      ports,
      watch,
      sockets: { isOffered: async () => true },
      openForAnswer: (id, identity) => hub.openWhereWritten(id, identity),
    }),
    grants: { list: async () => [], revoke: async () => false },
    facts: hubFacts(null),
    trust: { questions: async () => [], answer: async () => false },
    findFiles: async () => ({ paths: [], isPartial: false }),
    models: async () => [],
    skills: async () => [],
    config: async () => [],
    problems: async () => null,
    doctor: async () => [],
    onClose: () => watch.close(),
  });
  return hub;
}

function notHere(): never {
  throw new AppError("internal.bug", "nobody asks for it here");
}
