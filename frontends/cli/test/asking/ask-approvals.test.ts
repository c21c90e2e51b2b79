import { type InteractionRequest, toInteractionId } from "@capstan/protocol";
import { action, callId } from "@capstan/testkit";
import type { ProgressLine } from "@capstan/view";
import { expect, test } from "vitest";
import { askApprovals, type AskedApproval } from "../../src/asking/ask-approvals.ts";

type Approval = Extract<InteractionRequest, { type: "approval" }>;

function asked(name: string, more: Partial<Approval> = {}): AskedApproval {
  const shown = action("act", { path: name });
  const request: Approval = {
    type: "approval",
    callId: callId(name),
    action: { ...shown, summary: `Act on ${name}` },
    reason: "r",
    risk: "low",
    warnings: [],
    ...more,
  };
  const id = toInteractionId(name);
  return {
    id,
    request,
    digest: `digest-${name}`,
    openedAt: 0,
    expiresAt: null,
    origin: { frontend: "cli" },
    answerers: [],
  };
}

const rule = { verdict: "allow", tool: "act", source: "grant", text: "act" } as const;
const remembered = { what: "tool", rule } as const;

/** Somebody who presses these keys, and writes these lines and texts when asked for them. */
function typist(
  keys: readonly string[],
  { lines = [], edits = [] }: { lines?: readonly string[]; edits?: readonly string[] } = {},
) {
  const [keyed, lined, edited] = [[...keys], [...lines], [...edits]];
  const painted: string[][] = [];
  const shown: string[] = [];
  return {
    painted,
    shown,
    terminal: {
      show: (added: readonly ProgressLine[]) => void shown.push(...added.map(({ text }) => text)),
      chosen: () => undefined,
      ask: async () => lined.shift() ?? null,
      key: async (all: readonly ProgressLine[]) => {
        painted.push(all.map(({ text }) => text));
        return keyed.shift() ?? null;
      },
      edit: async () => ({ text: edited.shift() ?? "" }),
    },
  };
}

const asking = { role: "operate", signal: new AbortController().signal } as const;

async function answered(
  interactions: readonly AskedApproval[],
  keys: readonly string[],
  more: Parameters<typeof typist>[1] = {},
): Promise<unknown> {
  const { terminal } = typist(keys, more);
  const given = await askApprovals(interactions, { ...asking, terminal });
  return given?.map(({ interaction, answer }) => [interaction.id, answer]) ?? null;
}

test("the six answers, by digit and by letter", async () => {
  const one = [asked("a", { remembered, workspaceOffer: true })];
  const approve = { type: "approve", digest: "digest-a" };
  for (const [digit, letter, answer] of [
    ["1", "y", approve],
    ["2", "s", { ...approve, scope: "session" }],
    ["3", "a", { ...approve, scope: "workspace" }],
  ] as const) {
    expect(await answered(one, [digit])).toEqual([["a", answer]]);
    expect(await answered(one, [letter])).toEqual([["a", answer]]);
  }
  const edit = { edits: ['{"path":"b"}'] };
  expect(await answered(one, ["4"], edit)).toEqual([
    ["a", { type: "edit", digest: "digest-a", arguments: { path: "b" } }],
  ]);
  expect(await answered(one, ["5"], { lines: ["not so"] })).toEqual([["a", { type: "deny", message: "not so" }]]);
  expect(await answered(one, ["n"], { lines: [""] })).toEqual([["a", { type: "deny" }]]);
  expect([await answered(one, ["6"]), await answered(one, ["l"]), await answered(one, [])]).toEqual([null, null, null]);
});

test("any other key answers nothing, and so does what is not offered", async () => {
  const { terminal, shown } = typist(["2", "a", "x", "return", "y"]);
  const given = await askApprovals([asked("a")], { ...asking, terminal });
  expect(given).toHaveLength(1);
  expect(shown.filter((line) => line.includes("Nothing was answered"))).toHaveLength(4);
});

test("for good is offered with the details, and to those who may", async () => {
  const one = [asked("a", { grant: rule })];
  const always = [["a", { type: "approve", digest: "digest-a", scope: "always" }]];
  expect(await answered(one, ["7"])).toBeNull();
  expect(await answered(one, ["v", "7"])).toEqual(always);
  const approver = typist(["v", "7"]);
  expect(await askApprovals(one, { ...asking, role: "approve", terminal: approver.terminal })).toBeNull();
});

test("the details hold digest, rule and real paths", async () => {
  const real = { ...action("act"), paths: [{ real: "/real/a", shown: "a", access: "write" as const }] };
  const { terminal, shown } = typist(["v", "1"]);
  await askApprovals([asked("a", { action: real, grant: rule })], { ...asking, terminal });
  const text = shown.join("\n");
  for (const part of [real.digest, "write: a = /real/a", "always here: act"]) expect(text).toContain(part);
});

test("calls of one step are one list; what is selected is answered, the rest is not", async () => {
  const calls = [asked("a"), asked("b"), asked("c")];
  expect(await answered(calls, ["y"])).toHaveLength(3);
  expect(await answered(calls, ["down", "space", "y"])).toEqual([
    ["a", { type: "approve", digest: "digest-a" }],
    ["c", { type: "approve", digest: "digest-c" }],
  ]);
  expect(await answered(calls, ["space", "down", "space", "n"], { lines: ["no"] })).toEqual([
    ["c", { type: "deny", message: "no" }],
  ]);
  const none = typist(["space", "down", "space", "down", "space", "y"]);
  expect(await askApprovals(calls, { ...asking, terminal: none.terminal })).toBeNull();
  expect(none.shown.join()).toContain("Nothing is selected");
});

test("the workspace is one answer for a list, and what cannot be remembered is approved once", async () => {
  const calls = [asked("a", { remembered }), asked("b"), asked("c", { workspaceOffer: true })];
  expect(await answered(calls, ["3"])).toEqual([["c", { type: "approve", digest: "digest-c", scope: "workspace" }]]);
  expect(await answered(calls, ["2"])).toEqual([
    ["a", { type: "approve", digest: "digest-a", scope: "session" }],
    ["b", { type: "approve", digest: "digest-b" }],
    ["c", { type: "approve", digest: "digest-c" }],
  ]);
});

test("a question has six lines at most, whatever it is about; a command stands whole", async () => {
  const diff = `@@ -1,1 +1,30 @@\n${Array.from({ length: 30 }, (_, at) => `+line ${at}\n`).join("")}`;
  const changes = [{ path: "a", kind: "modified", addedLines: 30, removedLines: 0, diff }] as const;
  const { terminal, painted } = typist(["y"]);
  await askApprovals([asked("a", { changes, risk: "high", remembered, workspaceOffer: true })], {
    ...asking,
    terminal,
  });
  expect(painted[0]).toHaveLength(6);
  expect(painted[0]?.join("\n")).toContain("29 more lines; v shows them");
  const long = `echo ${"word ".repeat(300)}`;
  const command = typist(["y"]);
  await askApprovals([asked("a", { action: { ...action("act"), summary: long } })], {
    ...asking,
    terminal: command.terminal,
  });
  expect(command.painted[0]?.[0]).toContain("word ".repeat(300).trim());
});

test("an edit that changes nothing, or that is no JSON, answers nothing", async () => {
  const { terminal, shown } = typist(["4", "4", "6"], { edits: [`${JSON.stringify({ path: "a" }, null, 2)}\n`, "["] });
  expect(await askApprovals([asked("a")], { ...asking, terminal })).toBeNull();
  expect(shown.join("\n")).toMatch(/Nothing was changed[^]*must be a JSON object/);
});
