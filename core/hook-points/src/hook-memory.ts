import type { HookAnswer, HookEntry, HookEvent, HookRecord, HookVerdict, JsonObject } from "@capstan/protocol";
import { hookPoint } from "./hook-catalog.ts";
import { maxContextCharacters } from "./limits.ts";
import { matchesName } from "./matches-name.ts";

type Started = Extract<HookRecord, { type: "hook-started" }>;
type Finished = Extract<HookRecord, { type: "hook-finished" }>;

/** Hooks that are running. */
export type OpenRun = Omit<Started, "type">;

/** What a session knows of its hooks. */
export interface HookMemory {
  /** Runs so far, for their ids. */
  readonly runs: number;
  readonly open: readonly OpenRun[];
  /** What was asked in the open turn, by its key. */
  readonly asked: Readonly<Record<string, AskedOnce>>;
  /** What hooks said since, which the model reads next. */
  readonly words: readonly string[];
  /** How often hooks pushed the open turn on. */
  readonly pushes: number;
}

/** The call it was asked about, and what was said of it. */
interface AskedOnce {
  readonly callId?: string;
  readonly verdict?: HookVerdict;
}

export const noHooks: HookMemory = { runs: 0, open: [], asked: {}, words: [], pushes: 0 };

/** A moment that has come. */
export interface Moment {
  readonly event: HookEvent;
  readonly key: string;
  /** What matchers are compared with; absent: none is. */
  readonly names?: readonly string[];
  readonly callId?: Started["callId"];
  /** What hooks are shown of it beyond the session. */
  readonly facts?: JsonObject;
}

/** Which of some moments hooks are to be asked about first. `wait`: they are being asked. */
export type Next =
  | { readonly type: "none" }
  | { readonly type: "wait" }
  | { readonly type: "ask"; readonly moment: Moment; readonly entries: readonly HookEntry[] };

export function nextMoment(hooks: readonly HookEntry[], { asked, open }: HookMemory, moments: readonly Moment[]): Next {
  for (const moment of moments) {
    if (open.some(({ key }) => key === moment.key)) return { type: "wait" };
    if (Object.hasOwn(asked, moment.key)) continue;
    const entries = entriesFor(hooks, moment);
    if (entries.length > 0) return { type: "ask", moment, entries };
  }
  return { type: "none" };
}

export function entriesFor(hooks: readonly HookEntry[], { event, names }: Moment): readonly HookEntry[] {
  return hooks.filter((hook) => hook.event === event && (names === undefined || matchesName(hook.matcher, names)));
}

export function withStarted(memory: HookMemory, { type: _type, ...run }: Started): HookMemory {
  return { ...memory, runs: memory.runs + 1, open: [...memory.open, run] };
}

/** @param isOpen  the turn that it was about is still open */
export function withFinished(memory: HookMemory, run: OpenRun, { answer }: Finished, isOpen: boolean): HookMemory {
  const open = memory.open.filter(({ runId }) => runId !== run.runId);
  if (!isOpen || hookPoint(run.event).before === undefined) return { ...memory, open };
  const { callId, event, key } = run;
  const said: AskedOnce = {
    ...(callId === undefined ? {} : { callId }),
    ...(answer.verdict === undefined ? {} : { verdict: answer.verdict }),
  };
  const isPush = (event === "Stop" || event === "SubagentStop") && answer.block !== undefined;
  return {
    ...memory,
    open,
    asked: { ...memory.asked, [key]: said },
    words: [...memory.words, ...wordsOf(event, answer)],
    pushes: memory.pushes + (isPush ? 1 : 0),
  };
}

/** A user changed a call: it is another one, and hooks are asked about it again. */
export function withoutCall(memory: HookMemory, callId: string): HookMemory {
  const asked = Object.fromEntries(Object.entries(memory.asked).filter(([, each]) => each.callId !== callId));
  return { ...memory, asked };
}

/** What the model reads, with whose words they are. */
function wordsOf(event: HookEvent, { context = [], block }: HookAnswer): readonly string[] {
  const isReasonRead = event === "PostToolUse" || event === "AfterApplyChanges" || event.endsWith("Stop");
  const all = [...(block !== undefined && isReasonRead ? [block] : []), ...context].filter(
    (text) => text.trim() !== "",
  );
  if (all.length === 0) return [];
  return [`[${event} hook] ${all.join("\n")}`.slice(0, maxContextCharacters)];
}

/** A turn begins or has ended: nothing was asked in it. What still runs is known. */
export function betweenTurns(memory: HookMemory): HookMemory {
  const { runs, open } = memory;
  return { ...noHooks, runs, open };
}

/** The strictest of what hooks said about a call; `undefined`: nothing. */
export function verdictOn(memory: HookMemory | undefined, callId: string): HookVerdict | undefined {
  const said = Object.values(memory?.asked ?? {}).flatMap((each) =>
    each.verdict !== undefined && each.callId === callId ? [each.verdict] : [],
  );
  return (
    said.find(({ verdict }) => verdict === "deny") ??
    said.find(({ verdict }) => verdict === "ask") ??
    said.find(({ verdict }) => verdict === "allow")
  );
}
