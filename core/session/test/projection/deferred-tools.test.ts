import { initialState, modelRequest, type SessionState } from "@capstan/session";
import type { SessionConfig, ToolDefinition } from "@capstan/protocol";
import {
  action,
  allowing,
  call,
  callAnswer,
  completes,
  ends,
  packed,
  play,
  type Played,
  playOn,
  prepared,
  restarts,
  says,
  sessionConfig,
  staged,
  textAnswer,
} from "@capstan/testkit";
import { expect, test } from "vitest";

const tool = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: `Does what ${name} says.\nAnd more.`,
  inputSchema: { type: "object" },
  ...more,
});

const late = { deferred: true } as const;

function config(tools: readonly ToolDefinition[]): SessionConfig {
  return { ...sessionConfig({ policy: { rules: [allowing("*")] } }), tools };
}

const usual = config([
  tool("hidden", late),
  tool("other", { ...late, offered: "not-plan" }),
  tool("look"),
  tool("seek"),
]);

function offered(state: SessionState): readonly string[] {
  return modelRequest(state).tools.map(({ name }) => name);
}

const seek = (turn: string, step: number, names: readonly string[]): Parameters<typeof play>[0] => [
  completes(`${turn}.s${step}`, callAnswer([call(`${turn}-f${step}`, "seek")])),
  prepared(`${turn}.s${step}`, {
    [`${turn}-f${step}`]: action("seek", {}, { session: { type: "find-tools", query: "it", found: names, more: 0 } }),
  }),
];

/** A turn in which the model searches once. */
function searched(names: readonly string[], settings: SessionConfig = usual): Played {
  return play([says("t1"), packed("t1"), ...seek("t1", 1, names), completes("t1.s2", textAnswer("found"))], settings);
}

function finished({ journal }: Played): unknown {
  return journal.find(({ type }) => type === "tool-finished");
}

/** Several stimuli after what was played. */
function then(before: Played, stimuli: Parameters<typeof play>[0]): Played {
  return stimuli.reduce<Played>((played, stimulus) => playOn(played, stimulus), before);
}

/** A turn in which the model calls a tool at once. */
function calling(turn: string): Parameters<typeof play>[0] {
  return [
    says(turn),
    packed(turn),
    completes(`${turn}.s1`, callAnswer([call(`${turn}-c`, "hidden")])),
    prepared(`${turn}.s1`, { [`${turn}-c`]: action("hidden") }),
  ];
}

test("a deferred tool is in no request until it was found, and then stands after all that were there before", () => {
  expect(offered({ ...initialState, config: usual })).toEqual(["look", "seek"]);
  const one = searched(["other"]);
  expect(offered(one.state)).toEqual(["look", "seek", "other"]);
  const two = then(one, [says("t2"), packed("t2"), ...seek("t2", 1, ["hidden", "other"])]);
  expect(offered(two.state)).toEqual(["look", "seek", "other", "hidden"]);
  expect(modelRequest(two.state).tools.some((each) => each.deferred === true)).toBe(false);
});

test("what a search has found is said by name with the first line of what it does, and a search for nothing says so", () => {
  expect(finished(searched(["hidden"]))).toMatchObject({
    outcome: { type: "done", content: "Found, and to be called from now on:\n- hidden: Does what hidden says." },
  });
  expect(finished(searched([]))).toMatchObject({ outcome: { content: expect.stringContaining("No further tool") } });
});

test("what was found is there after a restart, and in other modes only where it makes sense", () => {
  const again = playOn(searched(["other"]), restarts);
  expect(offered(again.state)).toEqual(["look", "seek", "other"]);
  const planning = { ...again.state, config: { ...usual, mode: "plan" as const } };
  expect(offered(planning)).toEqual(["look", "seek"]);
});

test("a tool that has not been found is denied with the way to it, and one that was found runs", () => {
  const denied = play(calling("t1"), usual).journal.find(({ type }) => type === "tool-finished");
  expect(denied).toMatchObject({
    outcome: { type: "denied", code: "tool.not-offered", content: expect.stringContaining("found with search_tools") },
  });
  const ran = then(searched(["hidden"]), [...calling("t2"), staged("t2-c"), ends("t2-c")]);
  expect(ran.journal.findLast(({ type }) => type === "tool-finished")).toMatchObject({ outcome: { type: "done" } });
});

test("no more is found than a request holds, which is said", () => {
  const many = Array.from({ length: 130 }, (_, at) => `far-${at}`);
  const played = searched(many, config([tool("look"), tool("seek"), ...many.map((name) => tool(name, late))]));
  expect(offered(played.state)).toHaveLength(128);
  expect(played.journal.find(({ type }) => type === "tool-finished")).toMatchObject({
    outcome: { content: expect.stringMatching(/4 more were found, and a request holds no more tools\.$/) },
  });
});
