import { type Exchange, parseScenario, startRehearsal } from "@capstan/rehearsal";
import type { Evidence, PrintedEvent } from "../checker/evidence.ts";
import { printedEvents } from "../checker/evidence.ts";
import { armCrash } from "../crash/arm-crash.ts";
import { tracing } from "../crash/can-trace.ts";
import type { CrashPlan } from "../crash/crash-plan.ts";
import { spareTurns } from "../limits.ts";
import { effectLog, type Scene } from "../scenes/scene.ts";
import { type CapstanEnd, type CapstanProcess, startCapstan } from "../stage/capstan-process.ts";
import { Place } from "../stage/place.ts";
import { askDoctor, lastRecordType, readJournal } from "../stage/session-commands.ts";
import { endMarked, findSurvivors } from "../stage/survivors.ts";
import { modelOf, type TortureWire, wireEnvironment } from "../stage/wires.ts";
import { resumeProblem } from "./resume-problem.ts";

const sessionId = "tortured";

/** What a theatre needs to know of a run. */
export interface Play {
  readonly entry: string;
  readonly wire: TortureWire;
  readonly scene: Scene;
  readonly random: { happens(share: number): boolean };
  readonly unharmed: { readonly durationMs: number };
}

/** One session under torture: its place, its server and its processes. */
export interface Theatre {
  readonly place: Place;
  /** For each kill that hit: the type of the last record in the journal. */
  readonly crashPoints: readonly string[];
  /** Lines of the first process. */
  firstLines(): number;
  /** Begins the session, and kills it as planned. */
  start(plan: CrashPlan): Promise<void>;
  /** Goes on with the session. @returns what is wrong with how that ended; `null`: nothing, or it was killed as planned */
  resume(plan: CrashPlan, onUnknown: "fail" | "tell-model"): Promise<string | null>;
  /** Goes on with it in two processes at once: one of them may be told that the other has it. */
  resumeTwice(): Promise<void>;
  /** Whether the scene's turns are all played. */
  isOver(): boolean;
  evidence(stuck: readonly string[]): Promise<Evidence>;
  close(keep: boolean): Promise<void>;
}

/** Opens a place with the scene's files, and a strict server that plays its turns. */
export async function openTheatre(play: Play): Promise<Theatre> {
  const { entry, wire, scene } = play;
  const place = new Place();
  for (const [path, content] of Object.entries(scene.files)) place.write(path, content);
  const listeners = new Set<() => void>();
  const exchanges: Exchange[] = [];
  const spares = Array.from({ length: spareTurns }, () => ({ text: "Spare." }));
  const scenario = { name: scene.name, turns: [...scene.turns, ...spares] };
  const rehearsal = await startRehearsal({
    scenario: parseScenario(JSON.stringify(scenario), "torture.json"),
    onExchange: (exchange) => {
      exchanges.push(exchange);
      for (const listener of listeners) listener();
    },
  });
  const shown: (readonly PrintedEvent[])[] = [];
  const crashPoints: string[] = [];
  const survivors: string[] = [];
  const stuck: string[] = [];
  let firstLines = 0;
  let exists = true;
  const env = place.environment(wireEnvironment(wire, rehearsal.url));
  const common = ["run", "-m", modelOf(wire), "--set", "retry.base_delay_ms=1", "--output-format", "stream-json", ...scene.flags];

  async function perform(args: readonly string[], plan: CrashPlan): Promise<CapstanEnd> {
    const before = exchanges.length;
    let process_: CapstanProcess | undefined;
    const crash = armCrash(plan, () => started(process_), {
      unharmedMs: play.unharmed.durationMs,
      whom: play.random.happens(0.5) ? "process" : "group",
      linesInLog: () => place.read(effectLog).split("\n").length - 1,
      onRequest(listener) {
        const told = (): void => listener(exchanges.length - before);
        listeners.add(told);
        return () => listeners.delete(told);
      },
    });
    const traced = plan.type === "syscall" ? tracing(plan.calls, plan.count) : [];
    const command = [...traced, process.execPath, entry];
    process_ = startCapstan({ command, args: [...common, ...args], cwd: place.workspace, env, onLine: crash.onLine });
    const end = await process_.ended;
    crash.disarm();
    if (end.hung) stuck.push(`a process hung: ${args.join(" ")}`);
    shown.push(printedEvents(end.lines));
    return end;
  }

  /** A kill that hit: remembers where, and what outlived it. */
  async function afterKill(): Promise<void> {
    const last = await lastRecordType(place, sessionId);
    exists = last !== null;
    crashPoints.push(last ?? "nothing yet");
    // The others are resumed at once, while what was running may still be dying.
    if (play.random.happens(0.5)) for (const { command } of await findSurvivors(place.mark)) survivors.push(command);
  }

  function goOnArguments(onUnknown: string): readonly string[] {
    const target = exists ? ["--resume", sessionId] : ["--session-id", sessionId];
    return [...target, "--on-unknown", onUnknown, "go on"];
  }

  return {
    place,
    crashPoints,
    firstLines: () => firstLines,
    async start(plan) {
      const end = await perform(["--session-id", sessionId, "go"], plan);
      firstLines = end.lines.length;
      if (wasKilled(end)) await afterKill();
    },
    async resume(plan, onUnknown) {
      const end = await perform(goOnArguments(onUnknown), plan);
      if (wasKilled(end)) await afterKill();
      else exists = true;
      return wasKilled(end) ? null : resumeProblem(end);
    },
    async resumeTwice() {
      const args = goOnArguments("tell-model");
      await Promise.all([perform(args, { type: "never" }), perform(args, { type: "never" })]);
    },
    isOver: () => rehearsal.unused() <= spareTurns,
    async evidence(more) {
      for (const { command } of await findSurvivors(place.mark)) survivors.push(command);
      endMarked(place.mark);
      const journal = await readJournal(entry, place, sessionId);
      return {
        shown,
        journal,
        effects: scene.effects,
        files: Object.fromEntries(place.files().map((path) => [path, place.read(path)])),
        expectedFiles: [...Object.keys(scene.files), ...scene.effects.flatMap(({ files }) => files)],
        refusals: exchanges.flatMap(({ problem }) => (problem === undefined ? [] : [JSON.stringify(problem)])),
        survivors,
        stuck: [...stuck, ...more],
        doctor: await askDoctor(entry, place, sessionId),
      };
    },
    async close(keep) {
      endMarked(place.mark);
      await rehearsal.close();
      if (!keep) place.remove();
    },
  };
}

function wasKilled(end: CapstanEnd): boolean {
  return end.code === null || end.code === 128 + 9;
}

function started(process_: CapstanProcess | undefined): CapstanProcess {
  if (process_ === undefined) throw new Error("a kill came before its process");
  return process_;
}
