import type { JsonObject, PermissionMode, Policy } from "@capstan/protocol";
import { ToolRefusal } from "@capstan/protocol";
import {
  allowing,
  denying,
  noSandbox,
  scriptedTools,
  type ScriptedTools,
  sessionConfig,
  testWorkspace,
  type ToolScript,
} from "@capstan/testkit";
import { expect, test } from "vitest";
import { callTool, type ToolCallReport } from "../src/call-tool.ts";

interface Setting {
  readonly mode?: PermissionMode;
  readonly rules?: Policy["rules"];
  readonly scripts?: Readonly<Record<string, ToolScript>>;
  readonly signal?: AbortSignal;
  readonly args?: JsonObject;
}

interface Called {
  readonly report: ToolCallReport;
  readonly tools: ScriptedTools;
  readonly output: readonly string[];
}

async function run(name: string, setting: Setting = {}): Promise<Called> {
  const { mode = "default", rules = [], scripts = {}, signal = new AbortController().signal, args = {} } = setting;
  const tools = scriptedTools(scripts);
  const output: string[] = [];
  const report = await callTool(name, args, {
    tools,
    workspace: testWorkspace,
    policy: { ...sessionConfig().policy, rules },
    mode,
    sandbox: noSandbox,
    signal,
    onOutput: (stream, text) => void output.push(`${stream}: ${text}`),
  });
  return { report, tools, output };
}

test("what would be asked about is answered by the call itself", async () => {
  for (const name of ["change", "act", "act_alias"]) {
    const { report, tools } = await run(name);
    const tool = name.replace("_alias", "");
    expect(report).toMatchObject({
      action: { tool, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      judgement: { verdict: "ask" },
      outcome: { type: "done", content: `${tool} ran` },
      changes: [],
    });
    expect(tools.log).toEqual([{ callId: "call_by_hand", tool }]);
  }
});

test("a rule that denies stays, beside any rule that allows and in any mode", async () => {
  for (const mode of ["default", "accept-edits", "auto"] as const) {
    const { report, tools } = await run("change", { mode, rules: [allowing("*"), denying("change")] });
    expect(report).toMatchObject({
      judgement: { verdict: "deny", rule: { text: "change" } },
      outcome: { type: "denied", by: "policy", content: expect.stringMatching(/^Denied: /) },
    });
    expect(tools.log).toEqual([]);
  }
});

test("in plan mode nothing is changed, and reading continues", async () => {
  for (const name of ["change", "act"]) {
    const { report, tools } = await run(name, { mode: "plan", rules: [allowing("*")] });
    expect([report.outcome.type, report.judgement?.verdict, tools.log]).toEqual(["denied", "deny", []]);
  }
  expect((await run("look", { mode: "plan" })).report.outcome).toEqual({ type: "done", content: "look ran" });
});

test("what cannot be prepared is refused without an action, and nothing runs", async () => {
  const cases: readonly (readonly [string, Setting, object])[] = [
    ["nothing", {}, { type: "rejected", code: "tool.unknown" }],
    [
      "look",
      { args: { wrong: 1 } },
      { type: "rejected", code: "tool.bad-arguments", content: "Not run: `wrong` is not an argument" },
    ],
    [
      "look",
      refuse(new ToolRefusal("denied", "path.denied", "it is protected")),
      { type: "denied", by: "path", content: "it is protected" },
    ],
    [
      "look",
      refuse(new ToolRefusal("rejected", "path.not-found", "not there")),
      { type: "rejected", code: "path.not-found" },
    ],
    ["look", refuse(new TypeError("a bug")), { type: "failed", code: "tool.failed" }],
  ];
  for (const [name, setting, outcome] of cases) {
    const { report, tools } = await run(name, setting);
    expect(report).toMatchObject({ action: null, judgement: null, outcome, changes: [] });
    expect(tools.log).toEqual([]);
  }
});

test("failures, refusals while staging, and exceptions are outcomes with the action that was judged", async () => {
  const failing: ToolScript = {
    run: async () => ({ status: "failed", code: "tool.timeout", content: "too slow", details: { exitCode: 1 } }),
  };
  const stage: ToolScript = { stage: () => Promise.reject(new ToolRefusal("rejected", "file.stale", "read it again")) };
  const thrown: ToolScript = { run: () => Promise.reject(new Error("broken")) };
  expect(await outcomeOf(failing)).toEqual({
    type: "failed",
    code: "tool.timeout",
    content: "too slow",
    details: { exitCode: 1 },
  });
  expect(await outcomeOf(stage)).toEqual({ type: "rejected", code: "file.stale", content: "read it again" });
  expect(await outcomeOf(thrown)).toMatchObject({ type: "failed", code: "tool.failed" });
});

test("changes, details and output are handed on", async () => {
  const change = { path: "a", kind: "created", addedLines: 1, removedLines: 0 } as const;
  const { report, output } = await run("act", {
    scripts: {
      act: {
        run: async (_action, context) => {
          context.onOutput("stdout", "one");
          context.onOutput("stderr", "two");
          return { status: "ok", content: "made", details: { n: 1 }, changes: [change] };
        },
      },
    },
  });
  expect([report.outcome, report.changes, output]).toEqual([
    { type: "done", content: "made", details: { n: 1 } },
    [change],
    ["stdout: one", "stderr: two"],
  ]);
});

test("a call that is stopped is cancelled, never done", async () => {
  const stop = new AbortController();
  const { report } = await run("act", {
    signal: stop.signal,
    scripts: {
      act: {
        run: async (_action, { signal }) => {
          stop.abort(new Error("interrupted"));
          signal.throwIfAborted();
          return { status: "ok", content: "never" };
        },
      },
    },
  });
  expect(report.outcome).toEqual({ type: "cancelled", content: "Cancelled." });
});

function refuse(error: Error): Setting {
  return {
    scripts: {
      look: {
        async prepare() {
          throw error;
        },
      },
    },
  };
}

/** What becomes of a call of `change` that was judged and then went as the script says. */
async function outcomeOf(change: ToolScript): Promise<unknown> {
  const { report } = await run("change", { scripts: { change } });
  expect(report.action?.tool).toBe("change");
  return report.outcome;
}
