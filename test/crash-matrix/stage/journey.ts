import type { SessionStore } from "@capstan/ports";
import {
  type AppError,
  type Interaction,
  type JournalRecord,
  type ModelRequest,
  toTurnId,
  type SessionConfig,
  userText,
} from "@capstan/protocol";
import type { SessionRuntime } from "@capstan/runtime";
import {
  aborted,
  allowing,
  call,
  callAnswer,
  type FakeClock,
  type ScriptedCall,
  scriptedTools,
  sessionConfig,
  spoken,
  textAnswer,
  type ToolExecution,
} from "@capstan/testkit";
import { journalOf, type OpenWorld, openSession } from "../../../core/runtime/test/open-session.ts";
import type { Phase } from "./phases.ts";
import { QuickClock } from "./quick-clock.ts";

/** What a user does in a session, and what the model answers. */
export interface Journey {
  readonly script: readonly ScriptedCall[];
  /** Turns of words, the last one with `compact` behind it where that is asked for. */
  readonly turns: readonly string[];
  readonly compacts: boolean;
}

/** A read, a command that a user is asked about, and a write, with words before and after. */
const working: Journey = {
  script: [
    {
      type: "answer",
      pieces: [
        [{ type: "text-delta", delta: "I begin." }],
        // Arguments alone are in no hurry; beside words they are journaled at once.
        [
          { type: "text-delta", delta: " I call." },
          { type: "tool-arguments-delta", index: 0, name: "look", delta: "{" },
        ],
        [
          { type: "text-delta", delta: " Now." },
          { type: "tool-arguments-delta", index: 0, name: "look", delta: "}" },
        ],
      ],
      finish: callAnswer([call("a", "look"), call("b", "act"), call("c", "change")]),
    },
    spoken(["do", "ne"], textAnswer("done")),
  ],
  turns: ["t1"],
  compacts: false,
};

/** Three turns of words, and then a summary of the older ones. */
const compacting: Journey = {
  script: ["one", "two", "three", "the summary"].map((text) => ({ type: "answer", finish: textAnswer(text) })),
  turns: ["t1", "t2", "t3"],
  compacts: true,
};

/** The journey that has this phase. */
export function journeyWith(phase: Phase): Journey {
  return phase === "P10" ? compacting : working;
}

const settings: SessionConfig = sessionConfig({
  onUnknown: "tell-model",
  policy: { rules: [allowing("change")] },
});

/** One process that goes the journey, or continues it. */
export interface LifeOptions {
  readonly journey: Journey;
  readonly store: SessionStore;
  /** Continues from process to process: what began to run, ever. */
  readonly log?: ToolExecution[];
  /** The command never ends by itself. */
  readonly hangs?: boolean;
  readonly clock?: FakeClock;
  readonly onOpen?: (session: SessionRuntime) => void;
}

/** What became of it. */
export interface Life {
  /** `null`: it came to rest. */
  readonly fault: AppError | null;
  readonly requests: readonly ModelRequest[];
  /** Everything that was published, in order. */
  readonly shown: readonly JournalRecord[];
  /** What a user was asked right after the session was opened. */
  readonly asked: readonly Interaction[];
}

/** Lives until the session rests or has stopped. Every question about a call is answered with yes. */
export async function live({
  journey,
  store,
  log = [],
  hangs = false,
  clock = new QuickClock(),
  onOpen,
}: LifeOptions): Promise<Life> {
  const kept = await journalOf(store).catch(() => []);
  const tools = scriptedTools(
    {
      act: {
        run: async (_action, context) => {
          context.onOutput("stdout", "it acts");
          if (hangs) await aborted(context.signal);
          return { status: "ok", content: "it acts" };
        },
      },
    },
    log,
  );
  const script = journey.script.slice(kept.filter((record) => isAnswer(record)).length);
  const opened = await openSession({ store, tools, config: settings, script, clock });
  const { session, provider } = opened;
  const shown: JournalRecord[] = [];
  onOpen?.(session);
  session.subscribe(({ record }) => {
    shown.push(record);
    if (record.type === "interaction-opened") approve(session, record.interaction);
  });
  const stopped = session.fault.then((fault) => ({ fault }));
  const asked: Interaction[] = [];
  const end = await Promise.race([proceed(opened, journey, kept, asked), stopped]);
  await session.close();
  return { fault: end?.fault ?? null, requests: provider.requests, shown, asked };
}

/** From what is kept to rest. */
async function proceed(
  opened: Pick<OpenWorld, "session" | "recover">,
  { turns, compacts }: Journey,
  kept: readonly JournalRecord[],
  asked: Interaction[],
): Promise<undefined> {
  const { session } = opened;
  const ended = kept.filter((record) => record.type === "turn-ended").length;
  const begun = kept.filter((record) => record.type === "turn-started").length;
  const rest = begun > ended ? nextEnd(session) : null;
  const isCompacting = kept.some((record) => record.type === "compaction-started");
  const isSummarized = kept.some(({ type }) => endsCompaction(type));
  const summary = isCompacting && !isSummarized ? nextEnd(session) : null;
  await opened.recover().catch(() => undefined);
  asked.push(...session.snapshot().pending);
  for (const interaction of asked) approve(session, interaction);
  await (rest ?? summary);
  for (const turn of turns.slice(begun)) {
    const over = nextEnd(session);
    // A session that has stopped says so by its fault.
    session.submit({ type: "user-input", turnId: toTurnId(turn), content: userText(turn) }).catch(() => undefined);
    // oxlint-disable-next-line no-await-in-loop -- one turn after the other
    await over;
  }
  if (!compacts || isCompacting) return undefined;
  const over = nextEnd(session);
  session.submit({ type: "compact" }).catch(() => undefined);
  await over;
  return undefined;
}

function nextEnd(session: SessionRuntime): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe(({ record }) => {
      if (record.type !== "turn-ended" && !endsCompaction(record.type)) return;
      unsubscribe();
      resolve();
    });
  });
}

function endsCompaction(type: JournalRecord["type"]): boolean {
  return type === "compaction-completed" || type === "compaction-failed";
}

function approve(session: SessionRuntime, { id, request }: Interaction): void {
  if (request.type !== "approval") return;
  const answer = { type: "approve", digest: request.action.digest } as const;
  session.submit({ type: "answer", interactionId: id, answer }).catch(() => undefined);
}

function isAnswer({ type }: JournalRecord): boolean {
  return type === "step-completed" || type === "compaction-completed";
}
