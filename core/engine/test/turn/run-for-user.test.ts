import {
  type PermissionMode,
  permissionModes,
  type SessionConfig,
  toTurnId,
  type WithoutIsolation,
} from "@capstan/protocol";
import {
  action,
  call,
  callAnswer,
  cancels,
  checkInvariants,
  completes,
  ends,
  fileEffect,
  noSandbox,
  packed,
  play,
  playOn,
  prepared,
  probed,
  says,
  sessionConfig,
  staged,
  submit,
} from "@capstan/testkit";
import type { Stimulus } from "../../src/index.ts";
import { conversation } from "@capstan/session";
import { describe, expect, test } from "vitest";

const restarts: Stimulus = { type: "process-restarted" };

function runs(turn: string, script = "make all"): Stimulus {
  return submit({ type: "run-for-user", turnId: toTurnId(turn), command: { script } });
}

/** Up to the call's end. */
function whole(turn: string, content = "built"): readonly Stimulus[] {
  const own = `${turn}.command`;
  return [
    runs(turn),
    prepared(`${turn}.s1`, { [own]: action("act") }),
    staged(own),
    ends(own, { outcome: { type: "done", content }, effects: [fileEffect("/work/out", null, "1")] }),
  ];
}

function configured(changes: Partial<SessionConfig> = {}): SessionConfig {
  return sessionConfig({ mode: "default", askPolicy: "ask", ...changes });
}

test("a user's command runs without a question and without a model, and is reported in the next turn", () => {
  const played = play(whole("c1"), configured());
  expect(played.state.operation.type).toBe("idle");
  expect(played.journal.map(({ type }) => type).slice(2)).toEqual([
    "turn-started",
    "tool-decided",
    "tool-started",
    "tool-finished",
    "turn-ended",
  ]);
  expect(conversation(played.state)).toEqual([
    { role: "user", content: [{ type: "text", text: '[The user ran a command: "make all"]\nbuilt' }] },
  ]);
  const next = playOn(played, says("t1", "what now?"));
  expect(JSON.stringify(conversation(next.state))).toContain("built");
  expect(checkInvariants(next.journal)).toEqual([]);
});

test("two in a row are two turns, each of which can be taken back; the same one twice is one", () => {
  const played = play([...whole("c1"), runs("c1"), ...whole("c2", "again")], configured());
  expect(played.state.turns.map(({ turnId, effects }) => [turnId, effects.length])).toEqual([
    ["c1", 1],
    ["c2", 1],
  ]);
  const back = playOn(played, submit({ type: "rewind", keepTurns: 1, conversation: true, files: true }));
  expect(back.last.effects).toMatchObject([{ type: "restore-files", files: [{ path: "/work/out" }] }]);
  expect(checkInvariants(back.journal)).toEqual([]);
});

test("a rule that denies still denies", () => {
  const rules = [{ verdict: "deny", tool: "act", source: "user", text: "act" } as const];
  const config = configured({ policy: { approval: "default", rules, yolo: false } });
  const played = play(whole("c1").slice(0, 2), config);
  expect(played.journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "tool-denied" });
  expect(played.journal.some(({ type }) => type === "tool-started")).toBe(false);
});

/** What is decided on a command without a sandbox: of its user, or of the model. */
function decidedOn(by: "user" | "model", config: SessionConfig): string | undefined {
  const form = { type: "script", script: "make all", shell: "/bin/bash" } as const;
  const command = {
    form,
    cwd: "/work",
    timeoutMs: 1,
    confinement: { type: "none" } as const,
    scripts: [],
    nested: [],
  };
  const made = action("run_command", { command: "make all" }, { effect: "execute", risk: "high", command });
  const stimuli =
    by === "user"
      ? [runs("c1"), prepared("c1.s1", { "c1.command": made })]
      : [
          says("t1"),
          packed("t1"),
          completes("t1.s1", callAnswer([call("a", "run_command")])),
          prepared("t1.s1", { a: made }),
        ];
  const decided = play(stimuli, config).journal.findLast(({ type }) => type === "tool-decided");
  return decided?.type === "tool-decided" ? decided.judgement.verdict : undefined;
}
const under = (mode: PermissionMode, withoutIsolation: WithoutIsolation): SessionConfig =>
  configured({ mode, sandbox: { ...noSandbox, withoutIsolation } });

describe("in every mode", () => {
  test.each(permissionModes)("%s, its user's word is the approval, also where nobody else could be asked", (mode) => {
    for (const place of ["ask", "refuse-unless-reported"] as const) {
      expect(decidedOn("user", under(mode, place))).toBe("allow");
      expect(decidedOn("model", under(mode, place))).not.toBe("allow");
    }
    expect(decidedOn("user", under(mode, "refuse"))).toBe("deny");
  });
});

test("it is refused while anything is open, and leaves no record; an empty one, too", () => {
  const open = play([says("t1")], configured());
  expect(playOn(open, runs("c1")).last).toMatchObject({ records: [], refusal: { code: "session.waiting" } });
  const running = play(whole("c1").slice(0, 3), configured());
  expect(playOn(running, runs("c2")).last).toMatchObject({ records: [], refusal: { code: "session.waiting" } });
  expect(play([runs("c1", "  ")], configured()).last).toMatchObject({ refusal: { code: "input.empty" } });
});

test("words for a running command wait for their turn, and a cancel stops it", () => {
  const running = play(whole("c1").slice(0, 3), configured());
  const steered = submit({
    type: "user-input",
    turnId: toTurnId("t1"),
    content: [{ type: "text", text: "and?" }],
    delivery: "steer",
  });
  expect(playOn(running, steered).last.records).toMatchObject([{ type: "turn-queued", turnId: "t1" }]);
  const stopped = playOn(running, cancels());
  expect(stopped.last.effects).toMatchObject([{ type: "stop-tools" }]);
  expect(stopped.journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "interrupted" });
  expect(checkInvariants(stopped.journal)).toEqual([]);
});

test("killed in the middle it is looked at, and not run again; killed before it began it is made ready again", () => {
  const began = play([runs("c1")], configured());
  expect(playOn(began, restarts).last.effects).toMatchObject([{ type: "prepare-actions" }]);
  const running = playOn(play(whole("c1").slice(0, 3), configured({ onUnknown: "tell-model" })), restarts);
  expect(running.last.effects).toMatchObject([{ type: "probe-calls" }]);
  const doubtful = playOn(running, probed("c1.s1", { "c1.command": { type: "in-doubt", text: "it may have run" } }));
  expect(doubtful.last.effects.some(({ type }) => type === "run-tool" || type === "stage-tool")).toBe(false);
  expect(doubtful.state.operation.type).toBe("idle");
  expect(JSON.stringify(conversation(doubtful.state))).toContain("not known whether it took effect");
  expect(checkInvariants(doubtful.journal)).toEqual([]);
});
