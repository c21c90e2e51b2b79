import { evolve, initialState } from "@capstan/session";
import { type JournalRecord, type SessionConfig, unreachable } from "@capstan/protocol";
import { anyConfig, anySettings } from "./any-config.ts";
import { checkAnswers, type SentAnswer } from "../invariants/check-answers.ts";
import { sentAnswer } from "./choose-answer.ts";
import { checkSchedule, recoversOnce } from "./check-schedule.ts";
import {
  absentMs,
  absentShare,
  clerkShare,
  fewestSteps,
  mostSteps,
  mostTurns,
  stepsToRest,
  triesToSay,
  twinShare,
} from "./limits.ts";
import type { Sabotage } from "./sabotage.ts";
import { SeededRandom } from "./seeded-random.ts";
import { settled } from "./settled.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import { SimulatedDisk } from "./simulated-store.ts";
import { SimulatedWorld } from "./simulated-world.ts";
import { askingSteps, delicateSteps, ordinarySteps, type Step } from "./weights.ts";

export interface ScheduleOptions {
  readonly seed: number;
  /** Length of the wild part in place of the seed's own: for shrinking. */
  readonly steps?: number;
  readonly sabotage?: Sabotage;
}

/** What became of one schedule. */
export interface ScheduleReport {
  readonly seed: number;
  readonly steps: number;
  /** One sentence for each broken invariant. */
  readonly violations: readonly string[];
  /** Where it was killed: what was happening, and the last record. */
  readonly crashPoints: readonly string[];
  readonly records: number;
  /** What is kept at the end: the same seed gives the same one. */
  readonly journal: readonly JournalRecord[];
}

/**
 * One life of a session, as chance has it: words, cancels, answers, pieces of model answers, timers, kills at any place where
 * the engine waits, restarts; then calm, in which it must come to rest and take one more turn.
 */
export async function playSchedule({ seed, steps, sabotage = {} }: ScheduleOptions): Promise<ScheduleReport> {
  const random = SeededRandom.of(seed, 0);
  const stage = new Stage(new SimulatedWorld(random), anyConfig(random), sabotage);
  const count = fewestSteps + random.below(mostSteps - fewestSteps);
  for (let step = 0; step < (steps ?? count); step += 1) {
    await settled();
    stage.step();
  }
  const restless = await stage.calmDown();
  const events = stage.disk.kept();
  const journal = events.map(({ record }) => record);
  const answered = checkAnswers(events, stage.world.sent);
  const violations = [...stage.world.violations, ...restless, ...checkSchedule(journal, stage.world), ...answered];
  return {
    seed,
    steps: steps ?? count,
    violations: [...new Set(violations)],
    crashPoints: stage.crashPoints,
    records: stage.disk.last,
    journal,
  };
}

/** The world, the disk and the process of the moment. */
class Stage {
  readonly disk = new SimulatedDisk();
  readonly crashPoints: string[] = [];
  readonly world: SimulatedWorld;
  #config: SessionConfig;
  readonly #sabotage: Sabotage;
  #process: SimulatedProcess;
  /** A second process that was started on the same journal in the same moment. */
  #twin: SimulatedProcess | undefined;
  #turns = 0;

  constructor(world: SimulatedWorld, config: SessionConfig, sabotage: Sabotage) {
    this.world = world;
    this.#config = config;
    this.#sabotage = sabotage;
    this.#process = this.#open();
  }

  /** One thing happens. */
  step(): void {
    const { random, isAmidEffect } = this.world;
    if (this.#mustRestart()) return this.#restart();
    this.#stepTwin();
    const isAsking = this.#process.pending.length > 0;
    this.#take(random.weighted(isAsking ? askingSteps : isAmidEffect ? delicateSteps : ordinarySteps));
  }

  #take(step: Step): void {
    switch (step) {
      case "kill":
        return this.#kill();
      case "cut-power":
        return this.#cutPower();
      case "cancel":
        return this.#process.submit({
          type: "cancel",
          reason: this.world.random.pick(["interrupted", "timeout"]),
        });
      case "say":
        return this.#say();
      case "rare":
        return this.#rare();
      case "answer-from-elsewhere":
        return this.#answerFromElsewhere();
      case "let-time-pass":
        return this.#letTimePass();
      case "proceed":
        return this.#proceed();
      default:
        return unreachable(step);
    }
  }

  /** What the session waits for happens. */
  #proceed(): void {
    const { random } = this.world;
    const { gates, pending, isIdle } = this.#process;
    if (pending.length > 0 && (gates.count === 0 || random.happens(0.3)))
      return this.#process.answer(random.pick(pending));
    if (gates.count > 0) return gates.open(random.below(gates.count));
    return isIdle ? this.#say() : this.#letTimePass();
  }

  /** Nothing goes wrong any more. Returns what is wrong all the same. */
  async calmDown(): Promise<readonly string[]> {
    this.world.calm = true;
    const unrest = await this.#rest();
    if (unrest !== null) return [unrest];
    // A process that cannot write refuses the words: its twin, or the next one, is reported again.
    for (let tries = 0; tries < triesToSay && this.#process.ended?.turnId !== "last"; tries += 1) {
      this.#process.say("last");
      const stuck = await this.#rest();
      if (stuck !== null) return [`the last turn: ${stuck}`];
    }
    const { ended } = this.#process;
    if (ended?.turnId === "last" && ended.outcome === "done") return [];
    return [`the last turn did not complete: ${JSON.stringify(ended)}`];
  }

  /** Lets everything happen in order until nothing happens any more. Returns what is still happening when it does not end. */
  async #rest(): Promise<string | null> {
    for (let steps = 0; steps < stepsToRest; steps += 1) {
      await settled();
      if (this.#mustRestart()) this.#restart();
      this.#stepTwin();
      const { gates, pending, isIdle } = this.#process;
      const [interaction] = pending;
      if (gates.count > 0) gates.open(0);
      else if (isIdle) return null;
      else if (interaction !== undefined && !this.#process.isLate(interaction)) this.#process.answer(interaction);
      // Only a silent model is left to wait for, or a timer.
      else if (this.#process.clock.waitingMs.length > 0) this.#letTimePass();
      else this.#process.submit({ type: "cancel", reason: "interrupted" });
    }
    return `it is still ${this.#process.activity} after ${stepsToRest} steps`;
  }

  /** To anything that was ever asked: late answers and answers to what is settled come up, and two at once. */
  #answerFromElsewhere(): void {
    const sent = this.#sentAnswer();
    if (sent !== undefined) void this.#process.take(sent);
  }

  #sentAnswer(): SentAnswer | undefined {
    const { random, sent, unsettled } = this.world;
    const asked = this.disk
      .kept()
      .flatMap(({ record }) => (record.type === "interaction-opened" ? [record.interaction] : []));
    if (asked.length === 0) return undefined;
    const interaction = random.happens(0.7) ? asked.at(-1) : random.pick(asked);
    if (interaction === undefined) return undefined;
    const answer = sentAnswer(interaction, this.world);
    sent.set(answer.answerId, answer);
    unsettled.add(answer);
    return answer;
  }

  #open(isClerk = false): SimulatedProcess {
    // Now and then a process is started with other flags than the one before.
    if (this.world.random.happens(0.15)) this.#config = anyConfig(this.world.random);
    return new SimulatedProcess(this.world, this.disk, isClerk ? null : this.#config, this.#sabotage);
  }

  #kill(): void {
    const events = this.disk.kept();
    const state = events.map(({ record }) => record).reduce(evolve, initialState);
    this.crashPoints.push(`${state.operation.type} × ${events.at(-1)?.record.type ?? "nothing yet"}`);
    if (state.config !== null) this.world.violations.push(...recoversOnce(state));
    this.#restart();
  }

  /** A power cut takes what was not flushed, too. */
  #cutPower(): void {
    this.disk.cutPower(this.world.random.fraction());
    this.#kill();
  }

  /** Now and then two are started at once, on the same journal: one of them writes first, and the other has to give up. */
  #restart(): void {
    this.#process.kill();
    this.#twin?.kill();
    const { random, calm } = this.world;
    // Some questions expire while nobody is there.
    if (!calm && random.happens(absentShare)) this.world.elapsedMs += absentMs;
    // And some are answered while nobody has the session.
    const isClerk = !calm && random.happens(clerkShare) && this.#sentAnswer() !== undefined;
    this.#process = this.#open(isClerk);
    this.#twin = random.happens(twinShare) ? this.#open() : undefined;
  }

  /** Stopped, and no twin has taken over. */
  #mustRestart(): boolean {
    if (this.#process.fault === undefined) return this.#process.isClosed;
    const twin = this.#twin;
    this.#twin = undefined;
    if (twin === undefined || twin.fault !== undefined) return true;
    this.#process = twin;
    return false;
  }

  #stepTwin(): void {
    const gates = this.#twin?.gates;
    if (gates !== undefined && gates.count > 0) gates.open(this.world.random.below(gates.count));
  }

  #say(): void {
    if (this.#turns >= mostTurns) return;
    this.#turns += 1;
    this.#process.say(`t${this.#turns}`);
  }

  /** What people do now and then. */
  #rare(): void {
    const { random } = this.world;
    switch (random.below(5)) {
      case 4:
        void this.#process.close();
        return;
      case 0:
        return this.#process.submit({ type: "compact" });
      case 1:
        return this.#process.submit({ type: "rewind", keepTurns: random.below(2), conversation: true, files: true });
      case 2:
        return this.#process.submit({ type: "unwind" });
      default:
        return this.#process.submit({ type: "configure", config: anySettings(random) });
    }
  }

  #letTimePass(): void {
    const { clock } = this.#process;
    const waiting = clock.waitingMs;
    // Mostly the next thing; now and then much later, so that what is looked for often does not hide what comes late.
    const next = this.world.random.happens(0.3) ? waiting.at(-1) : waiting[0];
    if (next !== undefined) clock.advance(next);
    this.world.elapsedMs = Math.max(this.world.elapsedMs, clock.elapsed());
  }
}
