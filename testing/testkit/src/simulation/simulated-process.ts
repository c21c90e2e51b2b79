import { evolve, initialState, type SessionState } from "@capstan/session";
import type { SavedState } from "@capstan/ports";
import type {
  AppError,
  Interaction,
  JournalRecord,
  SessionConfig,
  SessionEvent,
  ResolvedSubmission,
} from "@capstan/protocol";
import { toSessionId, toTurnId, userText } from "@capstan/protocol";
import {
  type ActionPorts,
  createRedactor,
  type DecisionPorts,
  type OpenedJournal,
  ProviderHealth,
  SessionRuntime,
} from "@capstan/runtime";
import { sha256 } from "../builders/calls.ts";
import { opening } from "../builders/session-config.ts";
import { tester } from "../builders/stimuli.ts";
import { FakeClock } from "../fake-clock.ts";
import type { SentAnswer } from "../invariants/check-answers.ts";
import { chooseAnswer } from "./choose-answer.ts";
import { Gates } from "./gates.ts";
import { savingRecords } from "./limits.ts";
import type { Sabotage } from "./sabotage.ts";
import { openSimulatedStore, type SimulatedDisk } from "./simulated-store.ts";
import { simulatedModel } from "./simulated-model.ts";
import { simulatedCheckpoints, simulatedTools } from "./simulated-tools.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

const sessionId = toSessionId("session");

/**
 * A process with the session open: the real runtime among simulated parts. Killed, it is simply not resumed. Without
 * settings it only takes answers, and closes: so somebody answers where nobody has the session.
 */
export class SimulatedProcess {
  readonly gates: Gates = new Gates();
  readonly clock: FakeClock;
  /** Why it stopped by itself. */
  fault: AppError | undefined;
  isClosed = false;
  /** The last turn that ended, and how. */
  ended: { readonly turnId: string; readonly outcome: string } | undefined;
  readonly #runtime: SessionRuntime;
  readonly #sabotage: Sabotage;
  readonly #world: SimulatedWorld;
  readonly #disk: SimulatedDisk;

  /** Opens the session as a host does, and recovers what is in flight. Whoever has no receipt for an answer sends it again. */
  constructor(world: SimulatedWorld, disk: SimulatedDisk, config: SessionConfig | null, sabotage: Sabotage) {
    const isClerk = config === null;
    this.#world = world;
    this.#sabotage = sabotage;
    this.clock = new FakeClock(world.elapsedMs);
    this.#disk = disk;
    const opened = openJournal(world, disk, sabotage);
    const first = isClerk ? [] : opened.seq === 0 ? opening(config) : configured(opened.state, config);
    const generation = disk.claim();
    const confirm = async (): Promise<boolean> => disk.isWriter(generation);
    const lease = { generation, confirm, release: async () => undefined };
    const ports = this.#decisionPorts(sabotage);
    const action = this.#actionPorts(sabotage);
    this.#runtime = new SessionRuntime({ sessionId, ...opened, lease, opening: first }, tester, ports);
    this.#runtime.subscribe((event) => this.#receive(event));
    void this.#waitForFault();
    if (!isClerk) this.#runtime.recover(action).catch(ignore);
    const taken = [...world.unsettled].map(async (sent) => this.take(sent));
    if (isClerk)
      void Promise.all(taken)
        .then(() => this.close())
        .catch(ignore);
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

  /** Its time is up: only the timer that ends it is still to come. */
  isLate({ expiresAt }: Interaction): boolean {
    return expiresAt !== null && this.clock.now() >= expiresAt;
  }

  say(turn: string): void {
    this.submit({ type: "user-input", turnId: toTurnId(turn), content: userText(`words of ${turn}`) });
  }

  submit(submission: ResolvedSubmission): void {
    // A submission that cannot be stored is the sender's to repeat; the fault reports it.
    this.#runtime.submit(submission).catch(ignore);
  }

  answer(interaction: Interaction): void {
    this.submit({ type: "answer", interactionId: interaction.id, answer: chooseAnswer(interaction, this.#world) });
  }

  /** An answer from elsewhere; its sender is content with any receipt. */
  async take(sent: SentAnswer): Promise<void> {
    const { origin, ...answer } = this.#sabotage.received?.(sent) ?? sent;
    try {
      await this.#runtime.submit({ type: "answer", ...answer }, { origin });
      this.#world.unsettled.delete(sent);
    } catch {
      // It could not be stored: the next process is asked.
    }
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

  #receive({ seq, record }: SessionEvent): void {
    if (this.#disk.at(seq)?.record !== record && !isSame(this.#disk.at(seq)?.record, record))
      this.#world.violations.push(`${record.type} was shown as record ${seq}, which is not stored`);
    if (record.type === "turn-ended") this.ended = { turnId: record.turnId, outcome: record.outcome };
  }

  #decisionPorts(sabotage: Sabotage): DecisionPorts {
    const { gates, clock } = this;
    const [world, disk] = [this.#world, this.#disk];
    const { random } = world;
    return {
      store: openSimulatedStore(disk, world, gates, sabotage),
      clock,
      chance: { fraction: () => random.fraction(), id: () => world.name("id") },
      redact: createRedactor([]),
      report: ignore,
    };
  }

  #actionPorts(sabotage: Sabotage): ActionPorts {
    const { gates, clock } = this;
    const [world, disk] = [this.#world, this.#disk];
    const surroundings = { world, disk, gates, sabotage };
    const provider = simulatedModel(world, gates);
    return {
      tools: simulatedTools(surroundings),
      digest: sha256,
      checkpoints: simulatedCheckpoints(surroundings),
      model: {
        context: {
          async collect(_workspace, signal) {
            await gates.passOr("context", signal);
            return [{ name: "date", text: world.random.pick(["Monday", "Tuesday"]) }];
          },
        },
        callLimitMs: 600_000,
        provider: async () => provider,
        health: new ProviderHealth(clock, { breakerFailures: 0, breakerMs: 0, maxLimitWaitMs: 0 }),
      },
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

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function ignore(): void {
  // What failed is reported by the fault, or was broken off on purpose.
}
