import { evolve, initialState, modelRequest, planSources } from "@capstan/session";
import type { Stimulus } from "@capstan/engine";
import type { JsonObject, PermissionMode, SandboxSettings, SessionConfig, ToolOutcome } from "@capstan/protocol";
import {
  action,
  allowing,
  answers,
  call,
  callAnswer,
  completes,
  configVariant,
  ends,
  fails,
  message,
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
  ["plan", noSandbox, ["look", "ask", "note", "present", "seek"]],
  [
    "plan",
    { ...noSandbox, isolation: { type: "partial", lacks: ["seccomp"] } },
    ["look", "ask", "note", "present", "seek"],
  ],
  ["plan", enforced, ["look", "act", "ask", "note", "present", "seek"]],
  ["default", enforced, ["look", "change", "act", "ask", "note", "seek"]],
  ["accept-edits", noSandbox, ["look", "change", "act", "ask", "note", "seek"]],
  ["auto", noSandbox, ["look", "change", "act", "ask", "note", "seek"]],
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
  const outcomes = two.journal.flatMap((record) => (record.type === "tool-finished" ? [record.outcome.type] : []));
  expect(outcomes).toEqual(["denied", "denied"]);
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

test("after a compaction the summary repeats the list, and later lists do not change what was reported", () => {
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
  const reported = JSON.stringify(modelRequest(compacted.state).messages[0]);
  expect(reported).toContain("The task list:\\n- [>] do one");
  const later = [
    says("t5"),
    packed("t5"),
    completes("t5.s1", callAnswer([call("m", "note", { path: "two" })])),
    prepared("t5.s1", { m: action("note", { path: "two" }) }),
  ].reduce(playOn, compacted);
  expect(JSON.stringify(modelRequest(later.state).messages[0])).toBe(reported);
  expect(later.state.tasks).toEqual([{ step: "do two", status: "in-progress" }]);
});

interface PlanWriting {
  readonly name: string;
  readonly tool: string;
  readonly path: string;
  readonly content: string;
  /** What becomes of the call; absent: it was not answered yet. */
  readonly outcome?: ToolOutcome;
  readonly plan: string | null;
}

const done: ToolOutcome = { type: "done", content: "" };

test.each<PlanWriting>([
  { name: "a plan file", tool: "change", path: "plans/a.md", content: "A", outcome: done, plan: "A" },
  {
    name: "a failed write",
    tool: "change",
    path: "PLAN.md",
    content: "A",
    outcome: { type: "failed", code: "tool.failed", content: "" },
    plan: null,
  },
  { name: "no answer yet", tool: "change", path: "PLAN.md", content: "A", plan: null },
  { name: "another file", tool: "change", path: "plain.md", content: "A", outcome: done, plan: null },
  { name: "an empty file", tool: "change", path: "PLAN.md", content: " ", outcome: done, plan: null },
  { name: "a tool that writes no whole files", tool: "act", path: "PLAN.md", content: "A", outcome: done, plan: null },
])("the plan written last: $name", ({ tool, path, content, outcome, plan }) => {
  const { state } = play([...writing(tool, { path, content }), ...ended(outcome)], config("auto"));
  expect(planSources(state).written).toBe(plan);
});

test("a plan is known by what its tool says of itself, and not by the name of a tool", () => {
  const withRoles = config("auto");
  const silent = withRoles.tools.map(({ planRole: _role, ...tool }) => tool);
  const stimuli = [...writing("change", { path: "PLAN.md", content: "A" }), ...ended(done)];
  expect(planSources(play(stimuli, withRoles).state).written).toBe("A");
  expect(planSources(play(stimuli, { ...withRoles, tools: silent }).state).written).toBeNull();
  const { system } = modelRequest({ ...initialState, config: { ...config("plan"), tools: silent } });
  expect(system).toContain("give the whole plan as your answer");
  expect(modelRequest({ ...initialState, config: config("plan") }).system).toContain("present it with present;");
});

test("a written plan is forgotten once one was presented, and with the turn that wrote it", () => {
  const wrote = [
    ...writing("change", { path: "PLAN.md", content: "A" }),
    ...ended(done),
    completes("t1.s2", textAnswer("")),
  ];
  const presents = [
    says("t2"),
    packed("t2"),
    completes("t2.s1", callAnswer([call("p", "present")])),
    prepared("t2.s1", { p: action("present") }),
  ];
  expect(planSources(play(wrote, config("auto")).state).written).toBe("A");
  expect(planSources(play([...wrote, ...presents], config("auto")).state).written).toBeNull();
  const back = submit({ type: "rewind", keepTurns: 0, conversation: true, files: false });
  expect(planSources(play([...wrote, back], config("auto")).state).written).toBeNull();
});

test("what was said counts from this turn on, and from the last plan on", () => {
  const planned = [
    says("t1"),
    packed("t1"),
    completes("t1.s1", textAnswer("other turn")),
    says("t2"),
    packed("t2"),
    completes("t2.s1", callAnswer([call("n", "note")], { message: message("old plan", call("n", "note")) })),
    prepared("t2.s1", { n: action("note") }),
  ];
  expect(planSources(play(planned, config("plan")).state).said).toBe("old plan");
  const presented = [
    ...planned,
    completes("t2.s2", callAnswer([call("p", "present")])),
    prepared("t2.s2", { p: action("present") }),
    answers("1-t2", { type: "plan", decision: "adjust", digest: action("present").digest }),
  ];
  expect(planSources(play(presented, config("plan")).state).said).toBeNull();
  const again = completes(
    "t2.s3",
    callAnswer([call("m", "note")], { message: message("new plan", call("m", "note")) }),
  );
  expect(planSources(play([...presented, again], config("plan")).state).said).toBe("new plan");
  const over = [...presented, again, prepared("t2.s3", { m: action("note") }), completes("t2.s4", textAnswer("end"))];
  expect(planSources(play(over, config("plan")).state).said).toBeNull();
});

function writing(tool: string, args: JsonObject): readonly Stimulus[] {
  return [
    says("t1"),
    packed("t1"),
    completes("t1.s1", callAnswer([call("w", tool, args)])),
    prepared("t1.s1", { w: action(tool, args) }),
    staged("w"),
  ];
}

function ended(outcome: ToolOutcome | undefined): readonly Stimulus[] {
  return outcome === undefined ? [] : [ends("w", { outcome })];
}
