import type { ToolSource } from "@capstan/ports";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { builtInSource, composeCatalog } from "../../src/index.ts";
import { workspaceFixture } from "../workspace-fixture.ts";
import { ChangingSource, namedTool } from "./changing-source.ts";

test("tools of several sources stand in the order of the sources", () => {
  const catalog = composeCatalog([
    new ChangingSource("first", [namedTool("b"), namedTool("a")]),
    new ChangingSource("second", [namedTool("c", ["see"])]),
  ]);
  expect(catalog.definitions().map(({ name }) => name)).toEqual(["b", "a", "c"]);
  expect(catalog.find("SEE")?.definition.name).toBe("c");
  expect(catalog.notices()).toEqual([]);
});

test.each(["read_file", "ReadFile", "READ", "bash", "Edit", "multi_edit", "exitplanmode"])(
  "a tool called %s takes no built-in tool's place, also where that is disabled, and a notice says so",
  (name) => {
    const program = new ChangingSource("this program", [namedTool(name), namedTool("weather")]);
    const builtIn = builtInSource(workspaceFixture().options);
    for (const disabled of [[], ["read_file", "run_command", "edit_file"]]) {
      const catalog = composeCatalog([builtIn, program], { disabled });
      expect(catalog.find(name)).not.toBe(program.tools()[0]);
      expect(catalog.definitions().map((definition) => definition.name)).toContain("weather");
      expect(catalog.definitions().map((definition) => definition.name)).not.toContain(
        name === "read_file" ? "nothing" : name,
      );
      expect(catalog.notices()).toEqual([
        {
          level: "warning",
          code: "tool.name-taken",
          text: `The tool ${name} of this program is left out: its name means a tool of Capstan already.`,
        },
      ]);
    }
  },
);

test("another name that is taken is dropped, and the tool stays", () => {
  const catalog = composeCatalog([
    new ChangingSource("first", [namedTool("look", ["see"])]),
    new ChangingSource("second", [namedTool("watch", ["See", "observe"])]),
  ]);
  expect(catalog.find("see")?.definition.name).toBe("look");
  expect(catalog.find("observe")?.definition.name).toBe("watch");
  expect(catalog.notices().map(({ text }) => text)).toEqual([
    "The tool watch of second is not called See: other tools are.",
  ]);
});

test.each(["", "a b", "a\n", "ä", "1a", "a".repeat(65), "__proto__"])("a tool called %j is left out", (name) => {
  const catalog = composeCatalog([new ChangingSource("it", [namedTool(name)])]);
  expect(catalog.definitions()).toEqual([]);
  expect(catalog.notices()).toHaveLength(1);
});

test("what changes in a source is there at once, and subscribers are notified", async () => {
  const source = new ChangingSource("a server", [namedTool("one")]);
  const catalog = composeCatalog([builtInSource(workspaceFixture().options), source], {
    disabled: ["two", "edit_notebook", "propose_changes", "run_js"],
  });
  const seen: (string | undefined)[] = [];
  catalog.subscribe(() => void seen.push(catalog.definitions().at(-1)?.name));
  expect(catalog.find("one")).toBeDefined();
  source.change([namedTool("one"), namedTool("two"), namedTool("three"), namedTool("Bash")]);
  expect([catalog.find("two"), catalog.find("three")?.definition.name, seen]).toEqual([undefined, "three", ["three"]]);
  expect(catalog.notices()).toHaveLength(1);
  await catalog.close();
  source.change([]);
  expect(seen).toEqual(["three"]);
});

test("a change brings what people should know of it: what the source says, and names that are taken from then on, once", () => {
  const source = new ChangingSource("a server", [namedTool("one")]);
  const catalog = composeCatalog([builtInSource(workspaceFixture().options), source]);
  expect(catalog.notices()).toEqual([]);
  const seen: string[][] = [];
  catalog.subscribe((news) => void seen.push(news.map(({ text }) => text)));
  source.change([namedTool("Bash")], [{ level: "warning", code: "mcp.changed", text: "one has changed" }]);
  source.change([namedTool("Bash"), namedTool("two")]);
  expect(seen).toEqual([["one has changed", expect.stringContaining("The tool Bash of a server is left out")], []]);
});

test("whatever names sources give, each name means one tool, the first to take it, and what is missing is noticed", () => {
  const name = fc.constantFrom("a", "A", "a_", "b", "B_b", "bb", "c-c", "", "x y");
  const tools = fc.array(fc.tuple(name, fc.array(name, { maxLength: 2 })), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(tools, { minLength: 1, maxLength: 3 }), (all) => {
      const sources = all.map(
        (some, index) =>
          new ChangingSource(
            `source ${index}`,
            some.map(([own, others]) => namedTool(own, others)),
          ),
      );
      const catalog = composeCatalog(sources);
      const chosen = catalog.definitions().map((definition) => definition.name);
      expect(new Set(chosen.map(fold)).size).toBe(chosen.length);
      for (const own of chosen) expect(catalog.find(own)?.definition.name).toBe(own);
      const offered = sources.flatMap((source) => source.tools());
      expect(chosen.length === offered.length || catalog.notices().length > 0).toBe(true);
    }),
  );
});

function fold(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}

test("a catalog that is closed follows its sources no more, closed once or twice", async () => {
  let followers = 0;
  const source: ToolSource = {
    label: "counting",
    tools: () => [namedTool("one")],
    reservedNames: () => [],
    subscribe: () => {
      followers += 1;
      let isOver = false;
      return () => {
        if (!isOver) followers -= 1;
        isOver = true;
      };
    },
    close: async () => await Promise.resolve(),
  };
  const catalogs = [composeCatalog([source]), composeCatalog([source, source])];
  expect(followers).toBe(3);
  for (const catalog of catalogs) await catalog.close();
  expect(followers).toBe(0);
  for (const catalog of catalogs) await catalog.close();
  expect(followers).toBe(0);
});
