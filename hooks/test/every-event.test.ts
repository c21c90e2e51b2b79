/** Each cell of docs/reference/hooks.md: a real program, its answer as it is read, and what the engine makes of it. */
import { tmpdir } from "node:os";
import type { Effect, Stimulus } from "@capstan/engine";
import { hookPoint } from "@capstan/hook-points";
import { type HookEvent, type JournalRecord, type SessionConfig, toSessionId } from "@capstan/protocol";
import {
  action,
  begin,
  call,
  callAnswer,
  completes,
  ends,
  fails,
  packed,
  type Played,
  playOn,
  sampled,
  prepared,
  says,
  sessionConfig,
  staged,
  submit,
  textAnswer,
} from "@capstan/testkit";
import { ProgramRunner } from "@capstan/tools";
import { expect, test } from "vitest";
import { type HookDeed, hookDeeds, type HookEffect, hookRows } from "../../scripts/reference/hooks/hook-rows.ts";
import { entryOf } from "../src/find/hook-id.ts";
import { HookRuns } from "../src/run/hook-runs.ts";

const maxMoves = 60;
const output = {
  hookSpecificOutput: {
    updatedInput: { path: "other.txt" },
    additionalContext: "from the hook",
    updatedToolOutput: "other",
  },
};
const scripts: Readonly<Record<HookDeed, string>> = {
  refuses: "echo 'from the hook' >&2; exit 2",
  changes: `echo '${JSON.stringify(output)}'`,
  stops: `echo '{"continue":false,"stopReason":"from the hook"}'`,
  fails: "echo 'from the hook'; exit 1",
  "is late": "sleep 30",
};

const runner = new ProgramRunner();

/** A session in which the event comes, played to its rest or to a question; the hook's program really runs. */
async function playWith(event: HookEvent, deed: HookDeed): Promise<Played> {
  const work = { type: "shell", script: scripts[deed] } as const;
  const entry = entryOf(event, work, { matcher: "", name: "a hook", by: "user" });
  const hook = { entry, work, timeoutMs: deed === "is late" ? 30 : 20_000, file: null };
  const sandbox = { test: never, enter: never, endSession: never };
  const runs = new HookRuns([hook], { runner, sandbox, environment: {}, shell: "/bin/sh" });
  const isAgents = /Subagent(?:Start|Stop)|OnAgentError/.test(event);
  const agent = { name: "explore", depth: 1, prompt: "", tools: null };
  const config = sessionConfig({
    mode: event === "Notification" || event === "PermissionRequest" ? "default" : "auto",
    hooks: [entry],
    ...(isAgents ? { agent } : {}),
  });
  let played = begin(config);
  for (const stimulus of opening(event)) played = playOn(played, stimulus);
  for (let moves = 0; moves < maxMoves; moves += 1) {
    const run = unanswered(played);
    const next = run === undefined ? nextMove(played, event, config) : await answered(runs, run);
    if (next === undefined) return played;
    played = playOn(played, next);
  }
  throw new Error(`${event}: the session does not come to rest`);
}

async function never(): Promise<never> {
  throw new Error("no sandbox is needed");
}

/** What leads to the event, as far as nothing has to be answered. */
function opening(event: HookEvent): readonly Stimulus[] {
  if (event === "SessionEnd") return [{ type: "session-closing" }];
  return [{ ...says("t1"), opened: "startup" }];
}

type RunHooks = Extract<Effect, { type: "run-hooks" }>;

function unanswered({ effects, state }: Played): RunHooks | undefined {
  const open = new Set((state.hooks?.open ?? []).map(({ runId }) => runId));
  return effects.find((effect): effect is RunHooks => effect.type === "run-hooks" && open.has(effect.runId));
}

async function answered(runs: HookRuns, { runId, event, entries, facts }: RunHooks): Promise<Stimulus> {
  const workspace = { cwd: tmpdir(), roots: [tmpdir()] };
  const request = { event, entries, facts, sessionId: toSessionId("s"), workspace, mode: "auto" } as const;
  return { type: "hooks-ended", runId, ...(await runs.run(request, new AbortController().signal)) };
}

/** What a world would do; `undefined`: nothing is left, or a user is asked. */
function nextMove({ state, journal }: Played, event: HookEvent, config: SessionConfig): Stimulus | undefined {
  const { operation } = state;
  switch (operation.type) {
    case "preparing":
      return packed(operation.turn.turnId);
    case "streaming": {
      const { stepId } = operation.step;
      if (event === "OnError" || event === "OnAgentError") return fails(stepId, { retryable: false });
      const isFirst = stepId.endsWith(".s1") && !isAboutSummaries(event);
      return completes(stepId, isFirst ? callAnswer([call("c1", "change", { path: "a.txt" })]) : textAnswer("done"));
    }
    case "tool-loop":
      return fromTools(operation.batch.calls[0], event, operation.batch.stepId);
    case "summarizing":
      return completes(operation.stepId, textAnswer("what it was"));
    case "idle": {
      const isDone = journal.some(({ type }) => type === "compaction-started");
      if (isDone || !isAboutSummaries(event)) return undefined;
      const turns = journal.filter(({ type }) => type === "turn-started").length;
      if (turns < 8) return says(`t${turns + 1}`, "words ".repeat(400));
      return submit({ type: "compact", submissionId: "s1" });
    }
    default:
      throw new Error(`${event}: ${operation.type} under ${config.mode}`);
  }
}

function isAboutSummaries(event: HookEvent): boolean {
  return hookPoint(event).before === "summary" || event === "PostCompact";
}

function fromTools(
  pending: Extract<Played["state"]["operation"], { type: "tool-loop" }>["batch"]["calls"][number] | undefined,
  event: HookEvent,
  step: string,
): Stimulus | undefined {
  switch (pending?.type) {
    case "new": {
      const { arguments: args } = pending.call;
      const effect = event === "BeforeSpawnSubagent" ? ({ effect: "delegate" } as const) : {};
      return prepared(step, { c1: action("change", args.type === "json" ? args.value : {}, effect) });
    }
    case "allowed":
      return staged("c1");
    case "running":
      return event === "PostToolUseFailure"
        ? ends("c1", { outcome: { type: "failed", code: "tool.failed", content: "broken" } })
        : ends("c1");
    default:
      return undefined;
  }
}

/** What came of it, read from the journal and from what a model would read. */
function effectOf({ journal, state }: Played, event: HookEvent): HookEffect {
  const find = <Type extends JournalRecord["type"]>(type: Type) =>
    journal.filter((record): record is Extract<JournalRecord, { type: Type }> => record.type === type);
  const read = JSON.stringify(state.conversation);
  const calls = find("tool-finished");
  if (event !== "Notification" && find("interaction-opened").length > 0) return "a user is asked";
  if (calls.some(({ outcome }) => outcome.type === "denied" && outcome.content.includes("from the hook")))
    return "the call is denied";
  if (find("compaction-failed").some(({ message }) => message.includes("from the hook")))
    return "no model is asked for a summary";
  const ended = find("turn-ended").filter(({ message }) => message?.includes(`a ${event} hook ended the turn`));
  if (ended.some(({ outcome }) => outcome === "error")) return "the turn ends";
  if (find("tool-decided").some((record) => record.action.arguments["path"] === "other.txt"))
    return "the call is another one, judged again";
  const isRead = read.includes("from the hook");
  if (isRead && event.endsWith("Stop") && find("step-started").length > 2) return "the model continues";
  if (isRead && read.includes('"other"')) return "the model reads another result, and its words";
  if (isRead) return "the model reads its words";
  const isStopped = find("hook-finished").some(({ answer }) => answer.stop !== undefined);
  return isStopped ? "the turn ends as it is" : "nothing changes";
}

const cells = hookRows.flatMap(({ event, effects }) =>
  hookDeeds.map((deed) => ({ event, deed, effect: effects[deed] })),
);

test.concurrent.each(sampled(cells, 20))("a $event hook that $deed: $effect", async ({ event, deed, effect }) => {
  const played = await playWith(event, deed);
  expect(played.journal.some((record) => record.type === "hook-started" && record.event === event)).toBe(true);
  expect(effectOf(played, event)).toBe(effect);
});
