import type { JsonObject, JsonValue } from "@capstan/protocol";
import { runs } from "@capstan/testkit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { editCell } from "../../src/notebook/edit-cell.ts";
import { createEditNotebookTool } from "../../src/notebook/edit-notebook.ts";
import { createReadFileTool } from "../../src/read-file.ts";
import { outcomeOf, textOf, workspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";

const notebook = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "title",
   "metadata": {"weight": 1.0},
   "source": ["# Title\\n", "caf\\u00e9"]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {},
   "outputs": [{"output_type": "stream", "name": "stdout", "text": ["2\\n"]}],
   "source": [
    "print(1 + 1)"
   ]
  }
 ],
 "metadata": {"cells": [9007199254740993]},
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

interface Place {
  readonly fixture: WorkspaceFixture;
  readonly edit: (args: JsonObject) => Promise<string>;
}

async function place(content = notebook): Promise<Place> {
  const fixture = workspaceFixture();
  fixture.write("a.ipynb", content);
  const edit = createEditNotebookTool(fixture.options, fixture.paths);
  await fixture.call(createReadFileTool(fixture.options, fixture.paths), { path: "a.ipynb" });
  return {
    fixture,
    edit: async (args) => {
      const called = await fixture.call(edit, { path: "a.ipynb", ...args });
      return outcomeOf(called) === "ok" ? textOf(called) : outcomeOf(called);
    },
  };
}

test("a cell is replaced with its outputs gone, and every other character stays", async () => {
  const { fixture, edit } = await place();
  expect(await edit({ cell_id: "sum", new_source: "a = 1\nprint(a)" })).toContain("Replaced cell sum of a.ipynb.");
  expect(fixture.read("a.ipynb")).toBe(
    notebook
      .replace('"execution_count": 3', '"execution_count": null')
      .replace(/"outputs": .*/, '"outputs": [],')
      .replace('    "print(1 + 1)"', '    "a = 1\\n",\n    "print(a)"'),
  );
});

test("cells are put in first and behind another, and taken out, a second time, too", async () => {
  const { fixture, edit } = await place();
  await edit({ edit_mode: "insert", new_source: "first", cell_type: "markdown" });
  await edit({ edit_mode: "insert", cell_id: "title", new_source: "x = 1" });
  const cells = (): readonly JsonObject[] => JSON.parse(fixture.read("a.ipynb")).cells;
  expect(cells().map(({ source }) => source)).toEqual([["first"], ["# Title\n", "café"], ["x = 1"], ["print(1 + 1)"]]);
  expect(cells()[2]).toEqual({
    cell_type: "code",
    id: expect.stringMatching(/^[0-9a-f]{8}$/),
    metadata: {},
    execution_count: null,
    outputs: [],
    source: ["x = 1"],
  });
  await edit({ edit_mode: "delete", cell_id: "cell-0" });
  await edit({ edit_mode: "delete", cell_id: "cell-1" });
  expect(fixture.read("a.ipynb")).toBe(notebook);
  await edit({ edit_mode: "delete", cell_id: "sum" });
  await edit({ edit_mode: "delete", cell_id: "title" });
  expect(cells()).toEqual([]);
  await edit({ edit_mode: "insert", new_source: "again" });
  expect(cells()).toHaveLength(1);
});

test.each<[string, JsonObject, string]>([
  [notebook, { cell_id: "nowhere", new_source: "" }, "tool.bad-arguments"],
  [notebook, { new_source: "x" }, "tool.bad-arguments"],
  [notebook, { cell_id: "sum" }, "tool.bad-arguments"],
  ["{}", { cell_id: "sum", new_source: "x" }, "tool.bad-arguments"],
  ["[1,", { cell_id: "sum", new_source: "x" }, "tool.bad-arguments"],
])("what is no notebook, or has no such cell, is refused: %j", async (content, args, code) => {
  expect(await (await place(content)).edit(args)).toBe(code);
});

test("a notebook that was not read, or changed since, is not changed", async () => {
  const { fixture, edit } = await place();
  fixture.write("a.ipynb", notebook.replace("Title", "Other"));
  expect(await edit({ cell_id: "sum", new_source: "x" })).toBe("file.stale");
  expect(fixture.read("a.ipynb")).toContain("Other");
});

const cell = fc.record({ cell_type: fc.constant("code"), source: fc.array(fc.string()), metadata: fc.jsonValue() });
const change = fc.record({
  cells: fc.array(cell, { minLength: 1, maxLength: 5 }),
  number: fc.nat(),
  source: fc.string(),
  indent: fc.constantFrom(undefined, 1, "\t"),
  mode: fc.constantFrom("replace", "insert", "delete"),
});

test("whatever a notebook holds, the other cells are what they were, as text and as values", () => {
  fc.assert(
    fc.property(change, ({ cells, number, source, indent, mode }) => {
      const at = number % cells.length;
      const json = JSON.stringify({ 'a"[': "]}", cells, nbformat: 4 }, null, indent);
      const { text } = editCell(json, { path: "", mode, cellId: `cell-${at}`, source, cellType: undefined }, "a.ipynb");
      const after: { cells: JsonObject[] } = JSON.parse(text);
      const before: { cells: JsonObject[] } = JSON.parse(json);
      const index = mode === "insert" ? at + 1 : at;
      const rest = mode === "insert" ? before.cells : before.cells.toSpliced(at, 1);
      expect(after.cells.toSpliced(index, mode === "delete" ? 0 : 1)).toEqual(rest);
      const written = mode === "delete" ? source : textOfLines(after.cells[index]?.["source"]);
      expect(written).toBe(source);
      expect({ ...after, cells: 0 }).toEqual({ ...before, cells: 0 });
    }),
    { numRuns: runs(200) },
  );
});

function textOfLines(value: JsonValue | undefined): string {
  return Array.isArray(value) ? value.map(String).join("") : "";
}
