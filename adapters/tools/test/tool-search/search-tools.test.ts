import type { Tool } from "@capstan/ports";
import { type JsonObject, type PermissionMode, type SessionCall, ToolRefusal } from "@capstan/protocol";
import { quietContext } from "@capstan/testkit";
import { expect, test } from "vitest";
import { builtInSource, composeCatalog } from "../../src/index.ts";
import { rankTools } from "../../src/tool-search/rank-tools.ts";
import { workspaceFixture } from "../workspace-fixture.ts";
import { ChangingSource, namedTool } from "../catalog/changing-source.ts";

function late(name: string, description: string, offered?: "not-plan"): Tool {
  const tool = namedTool(name);
  const definition = { ...tool.definition, description, deferred: true as const };
  return { ...tool, definition: offered === undefined ? definition : { ...definition, offered } };
}

const tools = [
  late("list_history", "Show the history of commits."),
  late("record_changes", "Record changes as a commit, with a message.", "not-plan"),
  late("mcp__web__fetchPage", "Fetch a page of the web."),
  late("mcp__web__search", "Search the web for pages. A page is listed with its title; pages are ranked."),
];

/** Without what Capstan itself defers. */
const ours = { disabled: ["edit_notebook", "propose_changes", "run_js"] };

function catalogOf(selection: Parameters<typeof composeCatalog>[1] = ours): ReturnType<typeof composeCatalog> {
  return composeCatalog([builtInSource(workspaceFixture().options), new ChangingSource("a server", tools)], selection);
}

async function search(args: JsonObject, mode: PermissionMode = "default"): Promise<SessionCall | string | undefined> {
  const found = catalogOf().route("tool_search", args);
  if (found.type !== "routed") return found.type;
  const context = {
    ...quietContext,
    mode,
    workspace: workspaceFixture().workspace,
    signal: AbortSignal.timeout(60_000),
  };
  try {
    return (await found.tool.prepare(found.arguments, context)).session;
  } catch (error) {
    if (error instanceof ToolRefusal) return error.message;
    throw error;
  }
}

const names = async (...call: Parameters<typeof search>): Promise<unknown> => {
  const found = await search(...call);
  return typeof found === "object" && found.type === "find-tools" ? found.found : found;
};

test.each<[JsonObject, readonly string[]]>([
  [{ query: "commits" }, ["list_history", "record_changes"]],
  [{ query: "fetch a page" }, ["mcp__web__fetchPage", "mcp__web__search", "record_changes"]],
  [{ query: "nothing like it" }, []],
  [{ query: "select:list_history, RECORD_CHANGES" }, ["list_history", "record_changes"]],
  [{ q: "history" }, ["list_history"]],
  [{ query: "^mcp__web__", regex: true }, ["mcp__web__fetchPage", "mcp__web__search"]],
])("a search for %j finds %j, what fits best first", async (args, expected) => {
  expect(await names(args)).toEqual(expected);
});

test("in plan mode nothing is found that is not offered there", async () => {
  expect(await names({ query: "commit" }, "plan")).toEqual(["list_history"]);
});

test.each(["(", "(a+)+$"])("an expression that is none, or that never ends, is refused: %s", async (query) => {
  const slow = late("slow", "a".repeat(40) + "!");
  const catalog = composeCatalog([new ChangingSource("a server", [slow])]);
  const tool = catalog.find("search_tools");
  const context = { ...quietContext, workspace: workspaceFixture().workspace, signal: AbortSignal.timeout(60_000) };
  await expect(tool?.prepare({ query, regex: true }, context)).rejects.toThrow("a regular expression that ends within");
});

test("at most ten are brought, and of the twenty best that fit the others are counted", async () => {
  const many = Array.from({ length: 30 }, (_, at) => late(`page_${at}`, "A page."));
  const catalog = composeCatalog([new ChangingSource("a server", many)]);
  const context = { ...quietContext, workspace: workspaceFixture().workspace, signal: AbortSignal.timeout(60_000) };
  const draft = await catalog.find("search_tools")?.prepare({ query: "page" }, context);
  expect(draft?.session).toMatchObject({ found: expect.objectContaining({ length: 10 }), more: 10 });
});

test("the search is there only where something is deferred, and names what there is", () => {
  expect(composeCatalog([builtInSource(workspaceFixture().options)], ours).find("search_tools")).toBeUndefined();
  const definition = catalogOf().definitions().at(-1);
  expect(definition?.name).toBe("search_tools");
  expect(definition?.description).toContain(
    "There are: list_history, record_changes, mcp__web__fetchPage, mcp__web__search.",
  );
  const many = Array.from({ length: 300 }, (_, at) => late(`mcp__${at % 2 === 0 ? "one" : "two"}__tool_${at}`, "x"));
  const counted = composeCatalog([new ChangingSource("servers", many)])
    .definitions()
    .at(-1)?.description;
  expect(counted).toContain("There are: mcp__one (150), mcp__two (150).");
});

test("where tools are chosen by name, or the search is not wanted, none is deferred", () => {
  for (const selection of [{ enabled: ["list_history"] }, { disabled: ["tool_search"] }]) {
    const definitions = catalogOf(selection).definitions();
    expect(definitions.map(({ name }) => name)).toContain("list_history");
    expect(definitions.some(({ name, deferred }) => deferred === true || name === "search_tools")).toBe(false);
  }
});

test("no tool of a program takes the name of the search", () => {
  const catalog = composeCatalog([
    builtInSource(workspaceFixture().options),
    new ChangingSource("this program", [namedTool("ToolSearch"), ...tools]),
  ]);
  expect(catalog.find("ToolSearch")?.definition.name).toBe("search_tools");
});

test("a word with capitals inside is found as it is spoken, and by its parts", () => {
  const definitions = [namedTool("count"), late("run", "Run JavaScript.")].map(({ definition }) => definition);
  for (const query of ["javascript", "JavaScript", "script"])
    expect(rankTools(query, definitions).map(({ name }) => name)).toEqual(["run"]);
});
