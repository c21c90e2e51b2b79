/** Plan mode through the real binary and the real engine: what is offered, what a disobedient model gets, and the whole review. */
import { createHost, type Host, loadSettings } from "@capstan/host";
import { type InteractionAnswer, toInteractionId, userText } from "@capstan/protocol";
import { parseScenario, type Rehearsal, startRehearsal } from "@capstan/rehearsal";
import { asDriver, FollowedSession, isTurnEnd, slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { headOf, lastUserText, resultsOf } from "../stage/read-request.ts";

const place = usePlace();
const planFlags = ["--permission-mode", "plan"];
const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
const present = { name: "exit_plan_mode", arguments: { plan: "1. write made.txt" } };
const list = { name: "update_plan", arguments: { plan: [{ step: "look around", status: "in_progress" }] } };

const effectful = ["write_file", "edit_file", "apply_patch"];
const reading = ["read_file", "glob", "search", "ask_user", "update_plan", "exit_plan_mode"];

overWires("over %s", (wire, test, slowTest) => {
  test("a plan-mode turn is offered only what reads, and other turns are not offered the way out", async () => {
    const stage = await place.rehearse(wire, [{ text: "a plan" }, { text: "done" }]);
    await stage.run([...planFlags, "go"]);
    await stage.run(["go"]);
    const [planned, plain] = stage.exchanges.map((exchange) => JSON.stringify(headOf(exchange)));
    expect(effectful.filter((name) => planned?.includes(`"${name}"`))).toEqual([]);
    expect(reading.filter((name) => planned?.includes(`"${name}"`))).toEqual(reading);
    expect(effectful.filter((name) => plain?.includes(`"${name}"`))).toEqual(effectful);
    expect(plain).not.toContain("exit_plan_mode");
    // What is for the engine alone is not sent.
    expect([planned, plain].join("")).not.toMatch(/"offered"|"planRole"|not-plan|sandboxed-in-plan/);
  });

  slowTest("with nobody there the plan is the answer, and the run ends well", async () => {
    const stage = await place.rehearse(wire, [{ tool_calls: [list, present] }, { text: "1. write made.txt" }]);
    const run = await stage.run([...planFlags, "go"]);
    expect([run.code, run.stdout]).toEqual([0, "1. write made.txt\n"]);
    expect(resultsOf(stage.exchanges[1])[1]?.text).toContain("Give the whole plan as your answer");
    expect(run.stderr).toContain("▸ look around");
  });
});

test("a model that ignores plan mode changes nothing, by tool or by shell", async () => {
  place.write("note.txt", "hello\n");
  const shell = [
    "touch made.txt",
    "echo x > made.txt",
    "rm note.txt",
    "sed -i s/hello/x/ note.txt",
    "tee made.txt < note.txt",
  ];
  const calls = [
    write,
    { name: "Edit", arguments: { path: "note.txt", old_string: "hello", new_string: "x" } },
    ...shell.map((command) => ({ name: "run_command", arguments: { command } })),
    ...shell.map((command) => ({ name: "bash", arguments: { command } })),
  ];
  const stage = await place.rehearse("anthropic", [{ tool_calls: calls }, { text: "so be it" }]);
  const run = await stage.run([...planFlags, "--yolo", "go"]);
  expect(run.code).toBe(3);
  expect([place.has("made.txt"), place.read("note.txt")]).toEqual([false, "hello\n"]);
  expect(
    resultsOf(stage.exchanges[1])
      .slice(0, 2)
      .map(({ text }) => text),
  ).toEqual([
    expect.stringContaining("write_file is not offered now"),
    expect.stringMatching(/not offered now|was not read yet/),
  ]);
});

slowTest("the task list is there for whoever looks at the session later", async () => {
  const stage = await place.rehearse("anthropic", [{ tool_calls: [list] }, { text: "done" }]);
  await stage.run(["go"]);
  const listed = await place.run(["sessions", "list", "--json"]);
  const id = /"id":"([^"]+)"/.exec(listed.stdout)?.[1] ?? "";
  expect((await place.run(["sessions", "show", id])).stdout).toContain("Tasks:\n  ▸ look around\n");
});

test("the whole review: adjusted with words, then approved with a clean context, carried out once", async () => {
  const revised = { name: "exit_plan_mode", arguments: { plan: "1. write made.txt with care" } };
  const rehearsal = await rehearse([
    { tool_calls: [list, present] },
    { tool_calls: [revised] },
    { tool_calls: [write] },
    { text: "It is written." },
  ]);
  const host = await startHost(rehearsal);
  const session = new FollowedSession(await host.client.open({ type: "new" }, asDriver));
  await session.client.submit({ type: "user-input", turnId: host.client.newTurnId(), content: userText("plan it") });
  await decide(session, 1, { decision: "adjust", message: "with care" });
  await decide(session, 2, { decision: "proceed-clean" });
  await session.nth(2, isTurnEnd);
  const reviews = session.events.filter(({ record }) => record.type === "turn-started" && record.plan !== undefined);
  expect([reviews.length, place.read("made.txt")]).toEqual([1, "made\n"]);
  expect(resultsOf(rehearsal.exchanges[1])[1]?.text).toContain("They said: with care");
  const [, , carried] = rehearsal.exchanges;
  expect(lastUserText(carried)).toContain("Carry out this plan, which I have approved:\n\n1. write made.txt with care");
  expect(JSON.stringify(carried?.body)).not.toContain("plan it");
  expect((await session.client.snapshot()).tasks).toEqual([{ step: "look around", status: "in-progress" }]);
  expect(rehearsal.unused()).toBe(0);
  await session.close();
});

type PlanAnswer = Extract<InteractionAnswer, { type: "plan" }>;

/** Answers the n-th review once it is asked, twice: a double tap. */
async function decide(
  session: FollowedSession,
  count: number,
  answer: Omit<PlanAnswer, "type" | "digest">,
): Promise<void> {
  const { record } = await session.nth(count, ({ type }) => type === "interaction-opened");
  if (record.type !== "interaction-opened") throw new Error("no review was opened");
  const { id, digest } = record.interaction;
  const submission = {
    type: "answer",
    interactionId: toInteractionId(id),
    answer: { ...answer, type: "plan", digest },
  } as const;
  await Promise.all([session.client.submit(submission), session.client.submit(submission)]);
}

async function rehearse(turns: readonly object[]): Promise<Rehearsal> {
  const scenario = parseScenario(JSON.stringify({ name: "a review", turns }), "scenario.json");
  const rehearsal = await startRehearsal({ scenario });
  place.onClose(() => rehearsal.close());
  return rehearsal;
}

async function startHost({ url }: Rehearsal): Promise<Host> {
  const settings = await loadSettings({
    env: {
      PATH: process.env["PATH"],
      CAPSTAN_HOME: place.data,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "key-of-nobody",
    },
    cwd: place.workspace,
    sets: ["app.model=anthropic/rehearsal", "permissions.mode=plan"],
    flags: [],
    safeMode: false,
    addDirectories: [],
    yolo: false,
  });
  const host = await createHost(settings, {
    askPolicy: "ask",
    interactionExpiryMs: null,
    onUnknown: "fail",
    version: "1.2.3",
    report: (error) => {
      throw error;
    },
  });
  place.onClose(() => host.close());
  return host;
}
