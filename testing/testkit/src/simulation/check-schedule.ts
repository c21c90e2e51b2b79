import { conversation, evolve, type SessionState } from "@capstan/session";
import { decide, type Effect, type Stimulus } from "@capstan/engine";
import type { Action, JournalRecord, ToolOutcome } from "@capstan/protocol";
import { placesPerLook } from "./limits.ts";
import { checkInvariants } from "../invariants/check-invariants.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

/** No recovery asks about more events than there are. */
const hookCatalogSize = 24;

const restarted: Stimulus = { type: "process-restarted" };

/** What a whole life broke: the invariants at each place of the journal, and its story against the world. */
export function checkSchedule(journal: readonly JournalRecord[], world: SimulatedWorld): readonly string[] {
  const offset = world.calls % placesPerLook;
  const isLookedAt = (at: number): boolean => at % placesPerLook === offset || at === journal.length - 1;
  return [...checkInvariants(journal, evolve, isLookedAt), ...effectsReported(journal, world)];
}

/** Every effect happened once, or as often as somebody chose, or the journal says that nobody knows. */
function effectsReported(journal: readonly JournalRecord[], world: SimulatedWorld): readonly string[] {
  const started = new Set<string>();
  const outcomes = new Map<string, ToolOutcome>();
  const chosen = new Map<string, number>();
  const effectful = new Set<string>();
  for (const record of journal) {
    if (record.type === "tool-decided" && isEffectful(record.action)) effectful.add(record.callId);
    if (record.type === "tool-started") started.add(record.callId);
    if (record.type === "tool-finished") outcomes.set(record.callId, record.outcome);
    if (record.type === "tool-restarted" && record.reason === "chosen")
      chosen.set(record.callId, (chosen.get(record.callId) ?? 0) + 1);
  }
  const accepted = acceptedCalls(journal);
  const tooOften = world.touched().flatMap((callId) => {
    const times = world.times(callId);
    const most = started.has(callId) ? 1 + (chosen.get(callId) ?? 0) : 0;
    return times > most
      ? [`${callId} took effect ${times} times, and ${most} is the most that the journal reports`]
      : [];
  });
  const neverDone = [...outcomes].flatMap(([callId, outcome]) =>
    outcome.type === "done" && effectful.has(callId) && world.times(callId) === 0 && !accepted.has(callId)
      ? [`${callId} is stored as done and had no effect`]
      : [],
  );
  const untold = [...outcomes].flatMap(([callId, outcome]) =>
    neverRan.has(outcome.type) && world.times(callId) > 0 && !chosen.has(callId)
      ? [`${callId} is ${outcome.type} and had an effect`]
      : [],
  );
  return [...tooOften, ...neverDone, ...untold];
}

function isEffectful({ effect }: Action): boolean {
  return effect !== "read" && effect !== "session";
}

const neverRan: ReadonlySet<ToolOutcome["type"]> = new Set(["denied", "rejected", "proposed"]);

/** Calls that a user took for done, whatever the world says. */
function acceptedCalls(journal: readonly JournalRecord[]): ReadonlySet<string> {
  const asked = new Map(
    journal.flatMap((record) =>
      record.type === "interaction-opened" && record.interaction.request.type === "recovery"
        ? [[record.interaction.id, record.interaction.request.calls.map(({ callId }) => callId)] as const]
        : [],
    ),
  );
  return new Set(
    journal.flatMap((record) =>
      record.type === "interaction-resolved" && record.answer.type === "accept-as-done"
        ? (asked.get(record.interactionId) ?? [])
        : [],
    ),
  );
}

/**
 * Recovering twice comes to the same as once. A recovery that asks hooks has not come to its end: the next one continues without
 * them, and is looked at in its place. Returns what differs.
 */
export function recoversOnce(state: SessionState, hooksAsked = 0): readonly string[] {
  if (state.operation.type === "idle") return [];
  const first = decide(state, restarted);
  const once = first.records.reduce(evolve, state);
  if ((once.hooks?.open.length ?? 0) > 0 && hooksAsked < hookCatalogSize)
    return [...unsafe(first.effects), ...recoversOnce(once, hooksAsked + 1)];
  // What the first recovery ended needs no second.
  if (once.operation.type === "idle") return [];
  const second = decide(once, restarted);
  const twice = second.records.reduce(evolve, once);
  const problems: string[] = [];
  if (shapeOf(once) !== shapeOf(twice)) problems.push(`recovering from ${state.operation.type} twice is not once`);
  return [...problems, ...unsafe([...first.effects, ...second.effects])];
}

function unsafe(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) =>
    effect.type === "run-tool" && effect.action.effect !== "read"
      ? [`recovery runs ${effect.callId}, which may have run`]
      : [],
  );
}

/** Everything but the number of attempts, which counts recoveries too. */
function shapeOf(state: SessionState): string {
  const { operation, queued } = state;
  return JSON.stringify([operation, queued, conversation(state)], (key, value: unknown) =>
    key === "attempt" || key === "firstAttempt" ? undefined : value,
  );
}
