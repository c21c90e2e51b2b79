import type { ToolContext, ToolResult } from "@capstan/ports";
import type { JournalRecord } from "@capstan/protocol";
import { ToolRefusal } from "@capstan/protocol";
import { freezeAction, prepareActions } from "@capstan/runtime";
import {
  action,
  actionDraft,
  allowing,
  call,
  callAnswer,
  callId,
  nextRecord,
  quietContext,
  scriptedTools,
  sessionConfig,
  sha256,
  testWorkspace,
  textAnswer,
  type ToolScript,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { journalOf, openSession, say } from "./open-session.ts";

const atRest: ToolContext = {
  workspace: testWorkspace,
  ...quietContext,
  signal: new AbortController().signal,
};

test("every call gets its frozen action or the reason why it must not run, in call order", async () => {
  const tools = scriptedTools({
    act: { prepare: () => Promise.reject(new ToolRefusal("denied", "path.denied", "That path is protected.")) },
    change: { prepare: () => Promise.reject(new Error("a bug")) },
  });
  const malformed = { type: "malformed", text: "{", problem: "it ends too early" } as const;
  const calls = [
    call("a", "look", { path: "x" }),
    call("b", "look_alias", { path: "x" }),
    call("c", "nothing"),
    call("d", "look", { wrong: 1 }),
    call("e", "act"),
    call("f", "change"),
    { ...call("g", "look"), arguments: malformed },
  ];
  const prepared = await prepareActions(calls, tools, atRest, { digest: sha256, redact: String });
  expect(prepared).toEqual([
    { callId: "a", type: "action", action: action("look", { path: "x" }) },
    { callId: "b", type: "action", action: action("look", { path: "x" }) },
    refused("c", {
      type: "rejected",
      code: "tool.unknown",
      content: 'Not run: there is no tool named "nothing". The tools are: look, change, act.',
    }),
    refused("d", { type: "rejected", code: "tool.bad-arguments", content: "Not run: `wrong` is not an argument" }),
    { ...refused("e", { type: "denied", by: "path", content: "That path is protected." }), effect: "execute" },
    {
      ...refused("f", { type: "failed", code: "tool.failed", content: "change failed before it did anything: a bug" }),
      effect: "write",
    },
    refused("g", { type: "rejected", code: "tool.malformed-arguments", content: "it ends too early" }),
  ]);
});

test("an action is frozen at every depth, and its digest is of its canonical JSON", () => {
  const draft = actionDraft("look", { path: "x", deep: { list: [1] } });
  const frozen = freezeAction(draft, sha256);
  expect(frozen).toEqual(action("look", { path: "x", deep: { list: [1] } }));
  expect(() => Object.assign(frozen.arguments, { path: "y" })).toThrow(TypeError);
  expect(() => Object.assign(frozen.paths, { length: 0 })).toThrow(TypeError);
  const reordered = freezeAction({ ...draft, arguments: { deep: { list: [1] }, path: "x" } }, sha256);
  expect(reordered.digest).toBe(frozen.digest);
});

async function journalWith(tool: string, script: ToolScript): Promise<readonly JournalRecord[]> {
  const { session, store } = await openSession({
    tools: scriptedTools({ [tool]: script }),
    config: sessionConfig({ policy: { rules: [allowing("act"), allowing("change")] } }),
    script: [
      { type: "answer", finish: callAnswer([call("a", tool)]) },
      { type: "answer", finish: textAnswer("done") },
    ],
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  await session.close();
  return journalOf(store);
}

test("live output is journaled for people, all of it before the call's outcome, and pruned by it", async () => {
  const seen: string[] = [];
  const { session, store } = await openSession({
    tools: scriptedTools({
      act: {
        run: async (_action, context): Promise<ToolResult> => {
          for (const text of ["1", "2", "3"]) {
            context.onOutput("stdout", text);
            context.onOutput("stderr", text.repeat(2));
          }
          return { status: "ok", content: "ran" };
        },
      },
    }),
    config: sessionConfig({ policy: { rules: [allowing("act")] } }),
    script: [
      { type: "answer", finish: callAnswer([call("a", "act")]) },
      { type: "answer", finish: textAnswer("done") },
    ],
  });
  session.subscribe(({ record }) => {
    if (record.type === "tool-output-delta") seen.push(`${record.stream} ${record.delta}`);
  });
  const ended = nextRecord(session, "turn-ended");
  await say(session, "t1");
  await ended;
  await session.close();
  expect(seen).toEqual(["stdout 1", "stderr 11", "stdout 2", "stderr 22", "stdout 3", "stderr 33"]);
  expect((await journalOf(store)).some((record) => record.type === "tool-output-delta")).toBe(false);
});

test("a tool that throws has failed; the model is informed, and the turn continues", async () => {
  const journal = await journalWith("act", { run: () => Promise.reject(new Error("broken pipe")) });
  expect(journal.find((record) => record.type === "tool-finished")).toMatchObject({
    outcome: { type: "failed", code: "tool.failed", content: "act failed: broken pipe" },
  });
  expect(journal.at(-1)).toMatchObject({ type: "turn-ended", outcome: "done" });
});

// What changes files is worked out before it is decided on, what executes only when it is to start.
test.each(["change", "act"])("a tool that refuses while it works the effect out is never started: %s", async (tool) => {
  const journal = await journalWith(tool, {
    stage: () => Promise.reject(new ToolRefusal("rejected", "file.stale", "Read it again.")),
  });
  expect(journal.some((record) => record.type === "tool-started")).toBe(false);
  expect(journal.find((record) => record.type === "tool-finished")).toMatchObject({
    outcome: { type: "rejected", code: "file.stale", content: "Read it again." },
  });
});

test("what was worked out is handed to the run, and what settles it is durable before", async () => {
  const files = [{ path: "/work/file.txt", before: null, after: "f".repeat(64) }];
  const journal = await journalWith("change", {
    stage: async () => ({ settle: { files }, changes: [], proposal: "", data: { plan: 1 } }),
    run: async () => ({
      status: "ok",
      content: "written",
      observed: [{ path: "/work/file.txt", sha256: "f".repeat(64) }],
    }),
  });
  expect(journal.filter((record) => record.type === "tool-started" || record.type === "tool-finished")).toMatchObject([
    { type: "tool-started", settle: { files } },
    { type: "tool-finished", observed: [{ path: "/work/file.txt" }] },
  ]);
});

test("a tool sees the file versions the model has seen", async () => {
  const seen: (string | undefined)[] = [];
  await journalWith("look", {
    run: async (_action, context) => {
      seen.push(context.knownFile("/work/a"), context.knownFile("constructor"));
      return { status: "ok", content: "", observed: [{ path: "/work/a", sha256: "1" }] };
    },
  });
  expect(seen).toEqual([undefined, undefined]);
});

const refused = (id: string, outcome: object): object => ({ callId: callId(id), type: "refused", outcome });
