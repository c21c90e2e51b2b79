import { entriesFor, type Moment, momentsOfRecord, nextMoment, noHooks } from "@capstan/hook-points";
import type { HookEntry, JournalRecord } from "@capstan/protocol";
import { andThen, type Decision, decision, nothing } from "../model/decision.ts";
import { openTurnOf, type SessionState } from "@capstan/session";

/** Asks hooks about the first of these moments that none was asked about; `null`: there is nothing to wait for. */
export function askHooks(state: SessionState, moments: readonly Moment[]): Decision | null {
  const { config, hooks = noHooks } = state;
  const next = nextMoment(config?.hooks ?? [], hooks, moments);
  if (next.type === "ask") return start(state, next.moment, next.entries);
  return next.type === "wait" ? nothing : null;
}

/** Tells hooks of what has happened; nothing waits for them. */
export function notifyHooks(state: SessionState, moment: Moment): Decision {
  const entries = entriesFor(state.config?.hooks ?? [], moment);
  return entries.length === 0 ? nothing : start(state, moment, entries);
}

function start(state: SessionState, moment: Moment, entries: readonly HookEntry[]): Decision {
  const { event, key, callId, facts = {} } = moment;
  const runId = `${state.sessionId ?? "session"}.h${(state.hooks?.runs ?? 0) + 1}`;
  const turn = openTurnOf(state);
  const about = {
    ...(turn === null ? {} : { turnId: turn.turnId }),
    ...(callId === undefined ? {} : { callId }),
  };
  const hooks = entries.map(({ id, name, by }) => ({ id, name, by }));
  return decision(
    [{ type: "hook-started", runId, event, key, hooks, ...about }],
    [{ type: "run-hooks", runId, event, entries, facts }],
  );
}

/** Collects the facts of a turn, once hooks have nothing against it. */
export function packContext(state: SessionState): Decision {
  const turn = openTurnOf(state);
  if (turn === null) return nothing;
  const agent = state.config?.agent?.name;
  const { opened } = state;
  const moments: readonly Moment[] = [
    ...(opened === undefined ? [] : [agent === undefined ? at("SessionStart", opened) : at("SubagentStart", agent)]),
    at("BeforeRun"),
    ...(agent === undefined ? [at("UserPromptSubmit")] : []),
    at("BeforeContextPack"),
  ];
  return askHooks(state, moments) ?? decision([], [{ type: "pack-context", turnId: turn.turnId }]);
}

function at(event: Moment["event"], name?: string): Moment {
  return { event, key: event, ...(name === undefined ? {} : { names: [name], facts: { name } }) };
}

/** Tells hooks of everything that these records say has happened. */
export function notifyHooksOf(state: SessionState, records: readonly JournalRecord[]): Decision {
  if (state.config?.hooks === undefined) return nothing;
  const isAgents = state.config.agent !== undefined;
  return records
    .flatMap((record) => momentsOfRecord(record, isAgents))
    .reduce((made, moment) => andThen(state, made, (next) => notifyHooks(next, moment)), nothing);
}
