import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolContext } from "@capstan/ports";
import { type ActionDraft, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { quietContext } from "@capstan/testkit";
import { expect, test } from "vitest";
import { builtInSource } from "../../src/catalog/built-in-source.ts";
import { composeCatalog } from "../../src/catalog/compose-catalog.ts";
import { type WorkspaceFixture, workspaceFixture } from "../workspace-fixture.ts";

type Sources = ReturnType<ToolContext["planSoFar"]>;
const nothingKnown: Sources = { written: null, said: null };

/** The call as a model makes it, under any name, checked and prepared; or what is wrong with it. */
async function prepare(
  ws: WorkspaceFixture,
  name: string,
  args: JsonObject,
  sources: Sources = nothingKnown,
): Promise<ActionDraft | string> {
  const catalog = composeCatalog([builtInSource(ws.options)]);
  const tool = catalog.find(name);
  if (tool === undefined) return `no tool ${name}`;
  const checked = catalog.check(tool, args);
  if (checked.type === "wrong") return checked.problem;
  const context = { ...quietContext, workspace: ws.workspace, signal: new AbortController().signal };
  try {
    return await tool.prepare(checked.arguments, { ...context, planSoFar: () => sources });
  } catch (error) {
    if (error instanceof ToolRefusal) return error.code;
    throw error;
  }
}

async function sessionOf(...call: Parameters<typeof prepare>): Promise<unknown> {
  const prepared = await prepare(...call);
  return typeof prepared === "string" ? prepared : prepared.session;
}

const ws = (): WorkspaceFixture => workspaceFixture();

test.each<[string, string, JsonObject]>([
  [
    "as asked",
    "ask_user",
    {
      questions: [
        { question: "Which?", options: [{ label: "a", description: "the first" }, { label: "b" }], multiple: true },
      ],
    },
  ],
  [
    "with a header and multiSelect",
    "AskUserQuestion",
    {
      questions: [
        {
          question: "Which?",
          header: "Choice",
          options: [{ label: "a", description: "the first" }, { label: "b" }],
          multiSelect: true,
        },
      ],
    },
  ],
  [
    "one question at the top",
    "ask_question",
    { question: "Which?", options: [{ label: "a", description: "the first" }, "b"], multiple: true },
  ],
])("questions: %s", async (_how, name, args) => {
  expect(await sessionOf(ws(), name, args)).toEqual({
    type: "ask-user",
    questions: [
      { question: "Which?", options: [{ label: "a", description: "the first" }, { label: "b" }], multiple: true },
    ],
  });
});

test("questions without end, without words, or with two options of one name are refused", async () => {
  const many = Array.from({ length: 5 }, (_, index) => ({ question: `${index}?` }));
  expect(await prepare(ws(), "ask_user", { questions: many })).toContain("questions");
  expect(await prepare(ws(), "ask_user", { questions: [] })).toContain("questions");
  expect(await prepare(ws(), "ask_user", { questions: [{ question: "  " }] })).toBe("tool.bad-arguments");
  const twice = [{ question: "Which?", options: ["a", "a"] }];
  expect(await prepare(ws(), "ask_user", { questions: twice })).toBe("tool.bad-arguments");
});

test.each<[string, string, JsonObject]>([
  [
    "as asked",
    "update_plan",
    {
      plan: [
        { step: "a", status: "completed" },
        { step: "b", status: "in_progress" },
        { step: "c", status: "pending" },
      ],
      explanation: "so",
    },
  ],
  [
    "as todos",
    "TodoWrite",
    {
      todos: [
        { content: "a", status: "completed", activeForm: "Doing a" },
        { content: "b", status: "in_progress" },
        { content: "c", status: "pending" },
      ],
    },
  ],
  [
    "with other words",
    "todo_write",
    {
      merge: false,
      todos: [
        { content: "a", status: "Done" },
        { content: "b", status: "in-progress" },
        { content: "gone", status: "cancelled" },
        "c",
      ],
    },
  ],
])("the task list: %s", async (_how, name, args) => {
  expect(await sessionOf(ws(), name, args)).toEqual({
    type: "update-plan",
    tasks: [
      { step: "a", status: "done" },
      { step: "b", status: "in-progress" },
      { step: "c", status: "pending" },
    ],
  });
});

test("a status that nobody knows is refused with those that are known", async () => {
  const problem = await prepare(ws(), "update_plan", { plan: [{ step: "a", status: "nearly" }] });
  expect(problem).toContain("in_progress");
});

const exits = (plan: string, source: string): unknown => ({ type: "exit-plan-mode", plan, source });

test("the plan is the file on disk, else the file written last, else the argument, else what was said", async () => {
  const place = ws();
  place.write("plans/a.md", "on disk\n");
  const args = { plan: "as given", plan_file: "plans/a.md" };
  const sources = { written: "written", said: "said" };
  const found = async (given: JsonObject, known: Sources): Promise<unknown> =>
    await sessionOf(place, "ExitPlanMode", given, known);
  expect(await found(args, sources)).toEqual(exits("on disk\n", "file"));
  expect(await found({ ...args, plan_file: "plans/none.md" }, sources)).toEqual(exits("written", "written"));
  expect(await found({ plan: "as given" }, sources)).toEqual(exits("written", "written"));
  expect(await found({ plan: "as given" }, { ...sources, written: null })).toEqual(exits("as given", "argument"));
  expect(await found({ plan: " " }, { ...sources, written: null })).toEqual(exits("said", "said"));
  expect(await found({}, nothingKnown)).toEqual(exits("Plan is ready for review.", "none"));
});

test("only a file that is named like a plan, whole and inside the workspace, is shown as one", async () => {
  const place = ws();
  place.write(".env", "SECRET=1\n");
  place.write("secret.txt", "secret\n");
  place.write("plans/long.md", "x".repeat(64 * 1024 + 1));
  place.write("plans/binary.md", new Uint8Array([0, 1, 2]));
  writeFileSync(join(place.base, "outside.plan"), "outside\n");
  symlinkSync("../secret.txt", join(place.workspace.cwd, "plans", "link.md"));
  const outcomes = await Promise.all(
    [".env", "secret.txt", "plans/link.md", "../outside.plan", "plans/long.md", "plans/binary.md"].map(
      async (file) => await prepare(place, "exit_plan_mode", { plan_file: file, plan: "other" }),
    ),
  );
  expect(outcomes).toEqual([
    "path.denied",
    "path.denied",
    "path.denied",
    "path.outside",
    "file.too-large",
    "file.binary",
  ]);
});

test("another plan is another action, and its line for people is inert", async () => {
  const first = await prepare(ws(), "exit_plan_mode", { plan: "one" });
  const second = await prepare(ws(), "exit_plan_mode", { plan: "two" });
  expect(first).not.toEqual(second);
  const odd = await prepare(ws(), "update_plan", { plan: [{ step: "a\u202eb\u001b[2J", status: "in_progress" }] });
  expect(odd).toMatchObject({
    effect: "session",
    risk: "low",
    summary: expect.stringContaining("a⟨U+202E⟩b⟨U+001B⟩[2J"),
  });
});

test("no session tool ever runs", async () => {
  const place = ws();
  const catalog = composeCatalog([builtInSource(place.options)]);
  const names = catalog.definitions().flatMap(({ name }) => (catalog.find(name)?.effect === "session" ? [name] : []));
  expect(names).toEqual(["ask_user", "update_plan", "exit_plan_mode", "search_tools"]);
  const tool = catalog.find("update_plan");
  if (tool === undefined) throw new Error("there is no update_plan");
  const action = await place.prepare(tool, { plan: [] });
  expect(await place.run(tool, action, undefined)).toMatchObject({ status: "failed", code: "tool.not-offered" });
});

test("what plan mode offers is said by the definitions", () => {
  const offers = composeCatalog([builtInSource(ws().options)])
    .definitions()
    .flatMap(({ name, offered }) => (offered === undefined ? [] : [[name, offered]]));
  expect(offers).toEqual([
    ["write_file", "not-plan"],
    ["edit_file", "not-plan"],
    ["apply_patch", "not-plan"],
    ["run_command", "sandboxed-in-plan"],
    ["stop_command", "unlisted"],
    ["read_many_files", "unlisted"],
    ["exit_plan_mode", "plan"],
    ["edit_notebook", "not-plan"],
    ["propose_changes", "not-plan"],
  ]);
});

test("a list has a name where it is given one, and a step may be blocked", async () => {
  const args = {
    list: "release",
    plan: [
      { step: "a", status: "completed" },
      { step: "b", status: "blocked" },
    ],
  };
  expect(await prepare(ws(), "update_plan", args)).toMatchObject({
    session: {
      type: "update-plan",
      list: "release",
      tasks: [
        { step: "a", status: "done", list: "release" },
        { step: "b", status: "pending", blocked: true, list: "release" },
      ],
    },
    summary: "Task list release: 1 of 2 done",
  });
  const others = { task_list: "x", todos: [{ content: "c", status: "on hold" }] };
  expect(await prepare(ws(), "update_plan", others)).toMatchObject({
    session: { tasks: [{ blocked: true, list: "x" }] },
  });
});
