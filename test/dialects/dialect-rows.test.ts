import { beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "@capstan/protocol";
import type { ToolCatalog } from "@capstan/ports";
import { dialectRows } from "../../scripts/reference/dialects/dialects-page.ts";
import { defaultCatalog } from "../../scripts/reference/tools-page.ts";

let catalog: ToolCatalog;
beforeAll(async () => {
  catalog = await defaultCatalog(import.meta.dirname);
});

/** What becomes of a call before it is prepared. */
function taken(name: string, args: JsonObject): JsonObject {
  const routed = catalog.route(name, args);
  if (routed.type === "unknown") return { unknown: name };
  if (routed.type === "wrong") return { problem: routed.problem };
  const checked = catalog.check(routed.tool, routed.arguments);
  const tool = routed.tool.definition.name;
  return checked.type === "wrong"
    ? { tool, problem: checked.problem }
    : { tool, arguments: checked.arguments, notes: [...routed.notes] };
}

describe("a call as other agents' models write it", () => {
  test.each(dialectRows.map((row) => [`${row.name} ${JSON.stringify(row.arguments)}`.slice(0, 120), row] as const))(
    "%s is taken for ours",
    (_title, { name, arguments: args, tool, becomes, note }) => {
      const expected = { tool, arguments: becomes, notes: note === undefined ? [] : [note] };
      expect(taken(name, args)).toEqual(expected);
      // A second time, as our tool writes it: nothing is left to fix.
      expect(taken(tool, becomes)).toEqual({ ...expected, notes: [] });
    },
  );
  const refused: readonly (readonly [name: string, args: JsonObject, words: string])[] = [
    ["str_replace_editor", { command: "undo_edit", path: "a" }, "undo_edit is not there"],
    ["str_replace_editor", { command: "frobnicate", path: "a" }, "must be one of view"],
    ["str_replace_editor", { command: "view" }, "`path` is missing"],
    ["str_replace_editor", { command: "insert", path: "a", new_str: "x" }, "insert needs `insert_line`"],
    ["replace_in_file", { path: "a", diff: "<<<<<<< SEARCH\nold\n=======\nnew" }, "Each block needs the lines"],
    ["delete_file", { path: "a\n*** Add File: b" }, "A path is one line"],
    ["read_file", { path: "a", encoding: "latin1" }, "encoding"],
    ["edit_file", { path: "a", old_string: "a", new_string: "b", line: 3 }, "line"],
  ];
  test.each(refused)("%s %j is refused: it could mean something else", (name, args, words) => {
    expect(taken(name, args)["problem"]).toContain(words);
  });
  const commands: readonly JsonObject[] = [
    { command: "echo hi; apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF" },
    { command: "apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF\necho done" },
    { command: "cd a || apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF" },
    { command: "cd $HOME && apply_patch <<'EOF'\n*** Begin Patch\n*** End Patch\nEOF" },
    { command: 'apply_patch "$(cat patch)"' },
    { command: "apply_patch < patch.txt" },
    { argv: ["apply_patch"] },
    { argv: ["sh", "-c", "apply_patch <<'EOF' | cat\n*** Begin Patch\n*** End Patch\nEOF"] },
  ];
  test.each(commands)("%j stays a command: it does more than hand over a patch", (args) => {
    expect(taken("shell", args)).toMatchObject({ tool: "run_command" });
  });
  test("an unknown name stays unknown, in a namespace too", () => {
    expect(taken("functions.frobnicate", {})).toEqual({ unknown: "functions.frobnicate" });
  });
});
