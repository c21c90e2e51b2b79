import { evolve, initialState, modelRequest, planSources, type SessionState } from "@capstan/engine";
import type { Message, PermissionMode, SandboxSettings, SessionConfig } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  completes,
  configVariant,
  fails,
  noSandbox,
  packed,
  play,
  type Played,
  playOn,
  prepared,
  restarts,
  says,
  sessionConfig,
  staged,
  submit,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const { tools } = configVariant(0);
const enforced: SandboxSettings = { ...noSandbox, isolation: { type: "enforced" } };

function config(mode: PermissionMode, sandbox: SandboxSettings = noSandbox): SessionConfig {
  return { ...sessionConfig({ mode, policy: { rules: [allowing("*")] } }), tools, sandbox };
}

function offered(mode: PermissionMode, sandbox?: SandboxSettings): readonly string[] {
  return modelRequest({ ...initialState, config: config(mode, sandbox) }).tools.map(({ name }) => name);
}

test.each<[PermissionMode, SandboxSettings, readonly string[]]>([
  ["plan", noSandbox, ["look", "ask", "note", "present"]],
  ["plan", { ...noSandbox, isolation: { type: "partial", lacks: ["seccomp"] } }, ["look", "ask", "note", "present"]],
  ["plan", enforced, ["look", "act", "ask", "note", "present"]],
  ["default", enforced, ["look", "change", "act", "ask", "note"]],
  ["accept-edits", noSandbox, ["look", "change", "act", "ask", "note"]],
  ["auto", noSandbox, ["look", "change", "act", "ask", "note"]],
])("mode %s, sandbox %j: the model is offered %j", (mode, sandbox, names) => {
  expect(offered(mode, sandbox)).toEqual(names);
});

const systemText = (mode: PermissionMode): string => modelRequest({ ...initialState, config: config(mode) }).system;

test("outside plan mode the model's system text is the session's, byte for byte; in it, plan mode is said", () => {
  expect(new Set([systemText("default"), systemText("accept-edits"), systemText("auto")])).toEqual(
    new Set(["You are being tested."]),
  );
  expect(systemText("plan")).toMatch(/^You are being tested\.\n\nPlan mode is on\./);
});

test.each(["change", "act"])(
  "a model that calls %s in plan mode all the same is refused by name, and nothing starts",
  (tool) => {
    const { journal, effects } = play(
      [
        says("t1"),
        packed("t1"),
        completes("t1.s1", callAnswer([call("c", tool)])),
        prepared("t1.s1", { c: action(tool) }),
        completes("t1.s2", textAnswer("so be it")),
      ],
      config("plan"),
    );
    expect(journal.find(({ type }) => type === "tool-finished")).toMatchObject({
      outcome: { type: "denied", by: "policy", code: "tool.not-offered" },
    });
    expect(effects.filter(({ type }) => type === "stage-tool" || type === "run-tool")).toEqual([]);
    expect(journal.at(-1)).toMatchObject({ outcome: "tool-denied" });
  },
);

test("leaving plan mode where there is none is no denied call", () => {
  const { journal } = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("p", "present")])),
      prepared("t1.s1", { p: action("present") }),
      completes("t1.s2", textAnswer("fine")),
    ],
    config("default"),
  );
  expect(journal.find(({ type }) => type === "tool-finished")).toMatchObject({
    outcome: { type: "rejected", code: "tool.not-offered" },
  });
  expect(journal.at(-1)).toMatchObject({ outcome: "done" });
});

test("calls that were allowed before plan mode began do not start in it", () => {
  const two = play(
    [
      says("t1"),
      packed("t1"),
      completes("t1.s1", callAnswer([call("a", "change"), call("b", "change", { path: "b" })])),
      prepared("t1.s1", { a: action("change"), b: action("change", { path: "b" }) }),
      submit({ type: "configure", config: config("plan") }),
      staged("a"),
    ],
    config("auto"),
  );
  expect(two.journal.filter(({ type }) => type === "tool-started")).toEqual([]);
  const ends = two.journal.flatMap((record) => (record.type === "tool-finished" ? [record.outcome.type] : []));
  expect(ends).toEqual(["denied", "denied"]);
  expect(two.state.operation.type).toBe("streaming");
});

const listed = [
  says("t1"),
  packed("t1"),
  completes("t1.s1", callAnswer([call("n", "note", { path: "one" })])),
  prepared("t1.s1", { n: action("note", { path: "one" }) }),
];

test("the task list survives a restart, and a turn that is taken back takes its list with it", () => {
  const done = [completes("t1.s2", textAnswer("noted"))].reduce(playOn, play(listed, config("default")));
  expect(playOn(done, restarts).state.tasks).toEqual([{ step: "do one", status: "in-progress" }]);
  const failed = [fails("t1.s2", { retryable: false })].reduce(playOn, play(listed, config("default")));
  expect(failed.journal.at(-1)).toMatchObject({ type: "turn-ended", rolledBack: true });
  expect(failed.state.tasks).toEqual([]);
});

test("a cut journal that lost a list's answer takes the list all the same, and runs nothing", () => {
  const { journal } = play(listed, config("default"));
  const decidedAt = journal.findIndex(({ type }) => type === "tool-decided");
  const cut = playOn(stateOf(journal.slice(0, decidedAt + 1)), restarts);
  expect(cut.effects.filter(({ type }) => type === "stage-tool" || type === "run-tool")).toEqual([]);
  expect(cut.state.tasks).toEqual([{ step: "do one", status: "in-progress" }]);
});

function stateOf(journal: Played["journal"]): Played {
  const state = journal.reduce(evolve, initialState);
  return { journal, moves: [], state, effects: [], last: { records: [], effects: [] } };
}

test("after a compaction the summary tells the list again, and later lists do not change what was told", () => {
  const turns = ["t2", "t3", "t4"].flatMap((turn) => [
    says(turn),
    packed(turn),
    completes(`${turn}.s1`, textAnswer(`answer of ${turn}`)),
  ]);
  const compacted = [
    completes("t1.s2", textAnswer("noted")),
    ...turns,
    submit({ type: "compact" }),
    completes("session.c1", textAnswer("what was said")),
  ].reduce(playOn, play(listed, config("default")));
  const told = JSON.stringify(modelRequest(compacted.state).messages[0]);
  expect(told).toContain("what was said\\n\\nThe task list:\\n- [>] do one");
  const later = [
    says("t5"),
    packed("t5"),
    completes("t5.s1", callAnswer([call("m", "note", { path: "two" })])),
    prepared("t5.s1", { m: action("note", { path: "two" }) }),
  ].reduce(playOn, compacted);
  expect(JSON.stringify(modelRequest(later.state).messages[0])).toBe(told);
  expect(later.state.tasks).toEqual([{ step: "do two", status: "in-progress" }]);
});

const said = (text: string): Message => ({
  role: "assistant",
  origin: { provider: "test", model: "m", wire: "anthropic" },
  content: [{ type: "text", text }],
});
const calls = (id: string, name: string, args: Record<string, string>): Message => ({
  role: "assistant",
  origin: { provider: "test", model: "m", wire: "anthropic" },
  content: [call(id, name, args)],
});
const result = (callId: string, toolName: string, isError = false): Message => ({
  role: "user",
  content: [{ type: "tool-result", callId: call(callId, toolName).callId, toolName, content: "", isError }],
});

test.each<[string, readonly Message[], string | null]>([
  ["a plan file", [calls("w", "write_file", { path: "plans/a.md", content: "A" }), result("w", "write_file")], "A"],
  ["under other names", [calls("w", "Write", { file_path: "x.plan", content: "A" }), result("w", "Write")], "A"],
  [
    "a failed write",
    [calls("w", "write_file", { path: "PLAN.md", content: "A" }), result("w", "write_file", true)],
    null,
  ],
  ["no answer yet", [calls("w", "write_file", { path: "PLAN.md", content: "A" })], null],
  ["another file", [calls("w", "write_file", { path: "plain.md", content: "A" }), result("w", "write_file")], null],
  [
    "one that was presented since",
    [
      calls("w", "write_file", { path: "PLAN.md", content: "A" }),
      result("w", "write_file"),
      calls("p", "ExitPlanMode", {}),
      result("p", "ExitPlanMode", true),
    ],
    null,
  ],
])("the plan written last: %s", (_what, conversation, written) => {
  expect(planSources({ ...initialState, conversation }).written).toBe(written);
});

test("what was said counts from this turn on, and from the last plan on", () => {
  const turned = play([says("t1"), packed("t1")], config("plan")).state;
  const state: SessionState = {
    ...turned,
    conversation: [
      ...turned.conversation,
      said("old plan"),
      calls("p", "exit_plan_mode", {}),
      result("p", "exit_plan_mode", true),
      said("new plan"),
    ],
  };
  expect(planSources(state).said).toBe("new plan");
  expect(planSources({ ...initialState, conversation: [said("other turn")] }).said).toBeNull();
});
