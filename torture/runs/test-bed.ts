import type { OnUnknown } from "@capstan/protocol";
import { type Exchange, parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { type Evidence, type PrintedEvent, printedEvents } from "../checker/evidence.ts";
import { armCrash, type CrashTarget } from "../crash/arm-crash.ts";
import { tracing } from "../crash/can-trace.ts";
import type { CrashPlan } from "../crash/crash-plan.ts";
import { spareTurns } from "../limits.ts";
import { effectLog, type Script } from "../scripts/script.ts";
import { type CapstanEnd, startCapstan } from "../stage/capstan-process.ts";
import { Place } from "../stage/place.ts";
import { askDoctor, lastRecordType, readAgents, readJournal } from "../stage/session-commands.ts";
import { endMarked, findSurvivors } from "../stage/survivors.ts";
import { modelOf, type TortureWire, wireEnvironment } from "../stage/wires.ts";
import { resumeProblem, wordsOf } from "./resume-problem.ts";

const sessionId = "tortured";

/** What a bed needs to know of a run. */
export interface Play {
  readonly entry: string;
  readonly wire: TortureWire;
  readonly script: Script;
  readonly random: { happens(share: number): boolean };
  readonly unharmed: { readonly durationMs: number };
}

/** One session under torture: its place, its strict server and its processes. */
export class TestBed {
  readonly place: Place = new Place();
  /** For each kill that hit: the type of the last record in the journal. */
  readonly crashPoints: string[] = [];
  /** Lines of the first process. */
  firstLines = 0;
  readonly #play: Play;
  readonly #exchanges: Exchange[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #shown: (readonly PrintedEvent[])[] = [];
  readonly #survivors: string[] = [];
  readonly #stuck: string[] = [];
  #rehearsal: Rehearsal | undefined;
  #exists = true;

  private constructor(play: Play) {
    this.#play = play;
  }

  /** Opens a place with the script's files, and a server that plays its turns. */
  static async open(play: Play): Promise<TestBed> {
    const { script } = play;
    const bed = new TestBed(play);
    for (const [path, content] of Object.entries(script.files)) bed.place.write(path, content);
    const spares = Array.from({ length: spareTurns }, () => ({ text: "Spare." }));
    const scenario = { name: script.name, turns: [...script.turns, ...spares] };
    bed.#rehearsal = await startRehearsal({
      scenario: parseScenario(JSON.stringify(scenario), "torture.json"),
      onExchange: (exchange) => bed.#receive(exchange),
    });
    return bed;
  }

  /** Begins the session, and kills it as planned. */
  async start(plan: CrashPlan): Promise<void> {
    const end = await this.#perform(["--session-id", sessionId, "go"], plan);
    this.firstLines = end.lines.length;
    if (wasKilled(end)) await this.#afterKill();
  }

  /** Begins the session while something else than a kill happens to it. @returns how that ended, in its own words */
  async disturb(plan: CrashPlan): Promise<string> {
    const end = await this.#perform(["--session-id", sessionId, "go"], plan);
    this.#exists = (await lastRecordType(this.place, sessionId)) !== null;
    return wordsOf(end);
  }

  /** Resumes the session, with these words in front of the command. @returns how that ended, in its own words */
  async attempt(prefix: readonly string[]): Promise<string> {
    return wordsOf(await this.#perform(this.#proceed("tell-model"), { type: "never" }, prefix));
  }

  /** Resumes the session. @returns what is wrong with how that ended; `null`: nothing, or it was killed as planned */
  async resume(plan: CrashPlan, onUnknown: OnUnknown): Promise<string | null> {
    const end = await this.#perform(this.#proceed(onUnknown), plan);
    if (wasKilled(end)) {
      await this.#afterKill();
      return null;
    }
    this.#exists = true;
    return resumeProblem(end);
  }

  /** Resumes it in two processes at once: one of them may learn that the other has it. */
  async resumeTwice(): Promise<void> {
    const args = this.#proceed("tell-model");
    await Promise.all([this.#perform(args, { type: "never" }), this.#perform(args, { type: "never" })]);
    this.#exists = (await lastRecordType(this.place, sessionId)) !== null;
  }

  /** Whether the script's turns are all played. */
  isOver(): boolean {
    return this.#server.unused() <= spareTurns;
  }

  /** Everything that can be known of the session now. Ends what still lives. */
  async evidence(stuck: readonly string[]): Promise<Evidence> {
    const { place } = this;
    const { entry, script } = this.#play;
    await this.#lookForSurvivors();
    endMarked(place.mark);
    return {
      shown: this.#shown,
      journal: await readJournal(entry, place, sessionId),
      agents: await readAgents(entry, place, sessionId),
      effects: script.effects,
      files: Object.fromEntries(place.files().map((path) => [path, place.read(path)])),
      expectedFiles: [...Object.keys(script.files), ...script.effects.flatMap(({ files }) => files)],
      refusals: this.#exchanges.flatMap(({ problem }) => (problem === undefined ? [] : [JSON.stringify(problem)])),
      survivors: this.#survivors,
      stuck: [...this.#stuck, ...stuck],
      doctor: await askDoctor(entry, place, sessionId),
    };
  }

  async close(keep: boolean): Promise<void> {
    endMarked(this.place.mark);
    await this.#server.close();
    if (!keep) this.place.remove();
  }

  get #server(): Rehearsal {
    if (this.#rehearsal === undefined) throw new Error("the server was not started");
    return this.#rehearsal;
  }

  #receive(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    for (const listener of this.#listeners) listener();
  }

  #proceed(onUnknown: OnUnknown): readonly string[] {
    return [this.#exists ? "--resume" : "--session-id", sessionId, "--on-unknown", onUnknown, "continue"];
  }

  async #perform(args: readonly string[], plan: CrashPlan, prefix: readonly string[] = []): Promise<CapstanEnd> {
    const { entry, wire, script } = this.#play;
    const traced = plan.type === "syscall" ? tracing(plan.calls, plan.count) : [];
    const common = ["run", "-m", modelOf(wire), "--set", "retry.base_delay_ms=1", "--output-format", "stream-json"];
    const crash = armCrash(plan, this.#crashTarget());
    const running = startCapstan({
      command: [...prefix, ...traced, process.execPath, entry],
      args: [...common, ...script.flags, ...args],
      cwd: this.place.workspace,
      env: this.place.environment(wireEnvironment(wire, this.#server.url)),
      onLine: (count) => crash.onLine(count),
    });
    crash.arm(running);
    const end = await running.ended;
    crash.disarm();
    if (end.hung) this.#stuck.push(`a process hung: ${args.join(" ")}`);
    this.#shown.push(printedEvents(end.lines));
    return end;
  }

  #crashTarget(): CrashTarget {
    const before = this.#exchanges.length;
    return {
      unharmedMs: this.#play.unharmed.durationMs,
      whom: this.#play.random.happens(0.5) ? "process" : "group",
      linesInLog: () => this.place.read(effectLog).split("\n").length - 1,
      onRequest: (listener) => {
        const reported = (): void => listener(this.#exchanges.length - before);
        this.#listeners.add(reported);
        return () => this.#listeners.delete(reported);
      },
    };
  }

  async #afterKill(): Promise<void> {
    const last = await lastRecordType(this.place, sessionId);
    this.#exists = last !== null;
    this.crashPoints.push(last ?? "nothing yet");
    // The others are resumed at once, while what was running may still be dying.
    if (this.#play.random.happens(0.5)) await this.#lookForSurvivors();
  }

  async #lookForSurvivors(): Promise<void> {
    for (const { command } of await findSurvivors(this.place.mark)) this.#survivors.push(command);
  }
}

function wasKilled(end: CapstanEnd): boolean {
  return end.code === null || end.code === 128 + 9;
}
