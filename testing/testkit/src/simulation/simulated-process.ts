import { evolve, initialState, type SessionState } from "@capstan/engine";
import type { SavedState } from "@capstan/ports";
import type {
  AppError,
  InteractionAnswer,
  Interaction,
  JournalRecord,
  SessionConfig,
  SessionEvent,
  Submission,
} from "@capstan/protocol";
import { toSessionId, toTurnId, unreachable, userText } from "@capstan/protocol";
import {
  createRedactor,
  type OpenedJournal,
  ProviderHealth,
  type RuntimePorts,
  SessionRuntime,
} from "@capstan/runtime";
import { sha256 } from "../builders/calls.ts";
import { opening } from "../builders/session-config.ts";
import { person } from "../builders/stimuli.ts";
import { FakeClock } from "../fake-clock.ts";
import { Gates } from "./gates.ts";
import { savingRecords } from "./limits.ts";
import type { Sabotage } from "./sabotage.ts";
import { openSimulatedStore, type SimulatedDisk } from "./simulated-store.ts";
import { simulatedModel } from "./simulated-model.ts";
import { simulatedCheckpoints, simulatedTools } from "./simulated-tools.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

const sessionId = toSessionId("session");

/** A process with the session open: the real runtime among simulated parts. Killed, it is simply not gone on with. */
export class SimulatedProcess {
  readonly gates: Gates = new Gates();
  readonly clock: FakeClock = new FakeClock();
  /** Why it stopped by itself. */
  fault: AppError | undefined;
  isClosed = false;
  /** The last turn that ended, and how. */
  ended: { readonly turnId: string; readonly outcome: string } | undefined;
  readonly #runtime: SessionRuntime;
  readonly #world: SimulatedWorld;
  readonly #disk: SimulatedDisk;

  /** Opens the session as a host does, and recovers what is in flight. */
  constructor(world: SimulatedWorld, disk: SimulatedDisk, config: SessionConfig, sabotage: Sabotage) {
    this.#world = world;
    this.#disk = disk;
    const opened = openJournal(world, disk, sabotage);
    const first = opened.seq === 0 ? opening(config) : configured(opened.state, config);
    const generation = disk.claim();
    const confirm = async (): Promise<boolean> => disk.isWriter(generation);
    const lease = { generation, confirm, release: async () => undefined };
    this.#runtime = new SessionRuntime({ sessionId, ...opened, lease, opening: first }, person, this.#ports(sabotage));
    this.#runtime.subscribe((event) => this.#hear(event));
    void this.#waitForFault();
    if (opened.seq > 0) this.#runtime.recover().catch(ignore);
  }

  get isIdle(): boolean {
    return this.activity === "idle";
  }

  get activity(): string {
    return this.#runtime.snapshot().activity.type;
  }

  get pending(): readonly Interaction[] {
    return this.#runtime.snapshot().pending;
  }

  say(turn: string): void {
    this.submit({ type: "user-input", turnId: toTurnId(turn), content: userText(`words of ${turn}`) });
  }

  submit(submission: Submission): void {
    // A submission that cannot be stored is the sender's to repeat; the fault tells of it.
    this.#runtime.submit(submission).catch(ignore);
  }

  answer(interaction: Interaction): void {
    this.submit({ type: "answer", interactionId: interaction.id, answer: this.#choose(interaction) });
  }

  /** As it ends when somebody asks it to: what runs is broken off, the journal is left in order. */
  async close(): Promise<void> {
    await this.#runtime.close();
    this.isClosed = true;
  }

  kill(): void {
    this.gates.kill();
  }

  async #waitForFault(): Promise<void> {
    this.fault = await this.#runtime.fault;
  }

  #hear({ seq, record }: SessionEvent): void {
    if (this.#disk.at(seq)?.record !== record && !isSame(this.#disk.at(seq)?.record, record))
      this.#world.violations.push(`${record.type} was shown as record ${seq}, which is not stored`);
    if (record.type === "turn-ended") this.ended = { turnId: record.turnId, outcome: record.outcome };
  }

  #choose({ request, digest }: Interaction): InteractionAnswer {
    const { random, calm } = this.#world;
    switch (request.type) {
      case "approval":
        return random.happens(0.7)
          ? { type: "approve", digest: random.happens(0.9) ? request.action.digest : "of something else" }
          : { type: "deny" };
      case "question":
        return { type: "reply", answers: request.questions.map(({ options }) => [options[0]?.label ?? "so"]) };
      case "plan-review":
        return { type: "plan", digest, decision: calm ? "cancel" : random.pick(planDecisions) };
      case "budget":
        return calm || random.happens(0.5) ? { type: "stop" } : { type: "continue" };
      case "recovery":
        return calm ? { type: "tell-model" } : random.pick(recoveryAnswers);
      default:
        return unreachable(request);
    }
  }

  #ports(sabotage: Sabotage): RuntimePorts {
    const { gates, clock } = this;
    const [world, disk] = [this.#world, this.#disk];
    const { random } = world;
    const surroundings = { world, disk, gates, sabotage };
    const provider = simulatedModel(world, gates);
    return {
      store: openSimulatedStore(disk, world, gates, sabotage),
      clock,
      chance: { fraction: () => random.fraction(), id: () => world.name("id") },
      digest: sha256,
      context: {
        async collect(_workspace, signal) {
          await gates.passOr("context", signal);
          return [{ name: "date", text: random.pick(["Monday", "Tuesday"]) }];
        },
      },
      tools: simulatedTools(surroundings),
      checkpoints: simulatedCheckpoints(surroundings),
      provider: async () => provider,
      health: new ProviderHealth(clock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
      redact: createRedactor([]),
      report: ignore,
    };
  }
}

/** The state as a host opens it: from the saved copy and what came after it, which must come to the same as the whole journal. */
function openJournal(
  world: SimulatedWorld,
  disk: SimulatedDisk,
  sabotage: Sabotage,
): Pick<OpenedJournal, "seq" | "state" | "savedSeq"> {
  const kept = disk.kept();
  const events = sabotage.read?.(kept) ?? kept;
  const seq = events.at(-1)?.seq ?? 0;
  const state = events.map(({ record }) => record).reduce(evolve, initialState);
  const { saved } = disk;
  // As if many records had come since: the runtime saves a copy at the next rest already.
  const savedSeq = seq === 0 ? 0 : -savingRecords;
  if (saved === null) return { seq, state, savedSeq };
  const later = events.filter((event) => event.seq > saved.seq).map(({ record }) => record);
  const resumed = later.reduce(evolve, savedState(saved));
  if (sabotage.read === undefined && !isSame(resumed, state))
    world.violations.push(`the state saved at record ${saved.seq} leads elsewhere than the journal`);
  return { seq, state: resumed, savedSeq };
}

/** What the runtime saved, as a store hands it back. */
function savedState({ state }: SavedState): SessionState {
  return JSON.parse(JSON.stringify(state));
}

/** The settings of this process, where they are not those the journal ends with. */
function configured(state: SessionState, config: SessionConfig): readonly JournalRecord[] {
  return isSame(state.config, config) ? [] : [{ type: "session-configured", config }];
}

const planDecisions = ["proceed", "proceed-clean", "adjust", "cancel"] as const;

const recoveryAnswers: readonly InteractionAnswer[] = [
  { type: "accept-as-done" },
  { type: "run-again" },
  { type: "undo" },
  { type: "tell-model" },
  { type: "discard" },
];

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function ignore(): void {
  // What failed is told by the fault, or was broken off on purpose.
}
