import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { defaultDeniedPatterns } from "@capstan/protocol";
import { maxListingDepth } from "../../src/directory/limits.ts";
import { builtInSource, composeCatalog, type ToolsOptions } from "../../src/index.ts";
import { absentSandbox } from "@capstan/testkit";

const options: ToolsOptions = {
  deniedPatterns: defaultDeniedPatterns,
  allowAbsolute: true,
  home: "/home/nobody",
  ownFolders: [],
  sandbox: absentSandbox,
  spillDirectory: join(tmpdir(), "capstan-spill-none"),
  statusDirectory: join(tmpdir(), "capstan-runs-none"),
  environment: {},
  shell: undefined,
  timeouts: { fileMs: 30_000, commandMs: 120_000, maxCommandMs: 600_000, searchMs: 20_000 },
  limits: {
    outputBytes: 100_000,
    readBytes: 200_000,
    scanBytes: 2_000_000,
    patchBytes: 500_000,
    writeBytes: 1_000_000,
    searchResults: 200,
    globResults: 1000,
  },
};
const catalog = composeCatalog([builtInSource(options)]);
const names = [
  "read_file",
  "write_file",
  "edit_file",
  "apply_patch",
  "run_command",
  "command_output",
  "stop_command",
  "glob",
  "search",
  "list_directory",
  "read_many_files",
  "ask_user",
  "update_plan",
  "exit_plan_mode",
  "edit_notebook",
  "propose_changes",
  "run_js",
  "search_tools",
];

function check(calledAs: string, args: JsonObject, expected: JsonObject): void {
  const tool = catalog.find(calledAs);
  expect(tool === undefined ? calledAs : catalog.check(tool, args)).toEqual({ type: "fits", arguments: expected });
}

function problemOf(calledAs: string, args: JsonObject): string {
  const tool = catalog.find(calledAs);
  if (tool === undefined) throw new Error(`no tool ${calledAs}`);
  const result = catalog.check(tool, args);
  return result.type === "wrong" ? result.problem : "fits";
}

describe("the catalog", () => {
  test("has its tools, the one that is found and the one that finds it last, always in the same order", () => {
    expect(catalog.definitions().map(({ name }) => name)).toEqual(names);
    expect(composeCatalog([builtInSource(options)]).definitions()).toEqual(catalog.definitions());
  });
  test("describes them all in little room", () => {
    const sent = catalog
      .definitions()
      .filter(({ offered, deferred }) => offered !== "unlisted" && deferred !== true)
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThanOrEqual(8850);
  });
  test("describes each in little room", () => {
    const limits: Readonly<Record<string, number>> = { apply_patch: 1900, run_command: 1350, glob: 1300, search: 1300 };
    const small = ["read_file", "write_file", "edit_file"];
    const tooLong = catalog.definitions().filter((definition) => {
      const limit = small.includes(definition.name) ? 900 : (limits[definition.name] ?? 1600);
      return Buffer.byteLength(JSON.stringify(definition)) > limit;
    });
    expect(tooLong).toEqual([]);
  });
  test("checking arguments leaves the definitions as they are", () => {
    const before = JSON.stringify(catalog.definitions());
    expect(problemOf("read_file", {})).toContain("`path`: missing");
    expect(JSON.stringify(catalog.definitions())).toBe(before);
  });
  test("leaves out disabled tools, by name or alias", () => {
    const fewer = composeCatalog([builtInSource(options)], { disabled: ["Bash", "write_file", "no-such-tool"] });
    expect(fewer.definitions().map(({ name }) => name)).toEqual(
      names.filter((name) => name !== "run_command" && name !== "write_file"),
    );
    expect([fewer.find("run_command"), fewer.find("shell"), fewer.find("Write")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  test("no alias stands for two tools, in any case", () => {
    const seen = new Map<string, string>();
    const clashes = names.flatMap((name) =>
      [name, ...(catalog.find(name)?.aliases ?? [])].filter((alias) => {
        const owner = seen.get(alias.toLowerCase()) ?? name;
        seen.set(alias.toLowerCase(), owner);
        return owner !== name;
      }),
    );
    expect(clashes).toEqual([]);
  });
});

describe("names models use", () => {
  test.each([
    ["read_file", ["read_file", "Read", "read", "file_read", "READ_FILE", "ReadFile", "view"]],
    ["write_file", ["Write", "write", "file_write", "create_file"]],
    ["edit_file", ["Edit", "edit", "file_edit", "str_replace", "EDIT_FILE"]],
    ["apply_patch", ["Apply_Patch", "ApplyPatch"]],
    ["run_command", ["Run", "Pwsh", "pwsh", "shell", "bash", "Bash", "BASH", "run_terminal_cmd"]],
    ["glob", ["Glob", "GLOB"]],
    ["search", ["Search", "grep", "Grep", "rg", "ripgrep", "ugrep", "ug", "file_search"]],
  ])("%s", (name, aliases) => {
    expect(aliases.map((alias) => catalog.find(alias)?.definition.name)).toEqual(aliases.map(() => name));
  });
  test.each(["", "toString", "__proto__", "constructor", "read_file ", "web_fetch"])("%j is no tool", (name) => {
    expect(catalog.find(name)).toBeUndefined();
  });
});

describe("fields other agents use", () => {
  test("paths", () => {
    for (const field of ["file_path", "filePath", "filepath", "file", "filename", "absolute_path"]) {
      check("Read", { [field]: "a.ts" }, { path: "a.ts" });
    }
    check("Glob", { pattern: "*", directory: "src" }, { pattern: "*", path: "src" });
  });
  test("a range given as offset and limit", () => {
    check("Read", { path: "a", offset: 10, limit: 5 }, { path: "a", start_line: 10, end_line: 14 });
    check("Read", { path: "a", offset: 0, limit: "5" }, { path: "a", start_line: 1, end_line: 5 });
    check("Read", { path: "a", offset: "7" }, { path: "a", start_line: 7 });
    check("Read", { path: "a", limit: 20 }, { path: "a", start_line: 1, end_line: 20 });
    check("Read", { path: "a", offset: null, limit: null }, { path: "a" });
    check("Read", { path: "a", offset: null, limit: 5, start_line: null }, { path: "a", start_line: 1, end_line: 5 });
    check("Read", { path: "a", view_range: [3, -1] }, { path: "a", start_line: 3 });
    check("Read", { path: "a", view_range: [3, 9] }, { path: "a", start_line: 3, end_line: 9 });
  });
  test("edits", () => {
    const expected = { path: "a", old_string: "x", new_string: "y" };
    check("Edit", { file_path: "a", old_text: "x", new_text: "y" }, expected);
    check("str_replace", { path: "a", old_str: "x", new_str: "y" }, expected);
    check(
      "edit",
      { filePath: "a", oldString: "x", newString: "y", replaceAll: "true" },
      { ...expected, replace_all: true },
    );
    check("Write", { file: "a", text: "x" }, { path: "a", content: "x" });
    check("apply_patch", { input: "LP1\nEND" }, { patch: "LP1\nEND" });
  });
  test("commands", () => {
    check(
      "Bash",
      { command: "ls", description: "List files", timeout: 60_000 },
      { command: "ls", timeout_seconds: 60 },
    );
    check("shell", { cmd: "ls", timeout: 20, workdir: "src" }, { command: "ls", timeout_seconds: 20, cwd: "src" });
    check(
      "shell",
      { command: ["bash", "-lc", "ls"], timeout_ms: 1500 },
      { argv: ["bash", "-lc", "ls"], timeout_seconds: 2 },
    );
    check("Run", { command: "ls", run_in_background: false }, { command: "ls", background: false });
    check("Bash", { command: "ls", run_in_background: true }, { command: "ls", background: true });
    check("BashOutput", { bash_id: "background-1", filter: "x" }, { id: "background-1", filter: "x" });
    check("KillShell", { shell_id: "background-1" }, { id: "background-1" });
    check("Run", { argv: '["ls","-l"]' }, { argv: ["ls", "-l"] });
  });
  test("searches", () => {
    check(
      "Grep",
      { pattern: "x", "-i": true, "-n": true, output_mode: "files_with_matches" },
      { pattern: "x", case: "insensitive", output: "files" },
    );
    check("grep", { query: "x", include: "*.ts", limit: 5 }, { pattern: "x", include_glob: ["*.ts"], max_results: 5 });
    check(
      "rg",
      { pattern: "x", "-A": 1, "-B": "3", glob: ["*.ts"] },
      { pattern: "x", context: 3, include_glob: ["*.ts"] },
    );
  });
  test("listings", () => {
    const every = { path: "src", depth: maxListingDepth };
    check("LS", { target_directory: "src", recursive: true }, every);
    check("list_dir", { relative_workspace_path: "src", recursive: "true" }, every);
    check("ls", { path: "src", recursive: false }, { path: "src" });
    check("ls", { path: "src", recursive: "false" }, { path: "src" });
    check("ls", { path: "src", maxDepth: 2, show_hidden: true }, { path: "src", depth: 2 });
    expect(problemOf("ls", { path: "src", recursive: "deeply" })).toContain("`recursive`: unknown field");
  });
  test("the canonical field wins: an alias beside it is refused, not merged", () => {
    expect(problemOf("Read", { path: "a", file_path: "b" })).toContain("`file_path`: unknown field");
    expect(problemOf("Read", { path: "a", start_line: 1, offset: 5 })).toContain("`offset`: unknown field");
  });
  test("two aliases that disagree are refused", () => {
    expect(problemOf("Read", { file: "a", filename: "b" })).toContain("`path`: missing");
    check("Read", { file: "a", filename: "a" }, { path: "a" });
  });
  test("what cannot be honoured is not dropped", () => {
    expect(problemOf("Read", { path: "a", offset: -5 })).toContain("`offset`: unknown field");
  });
  test.each(names)("%s refuses a field that nobody knows", (name) => {
    expect(problemOf(name, { nonsense: 1 })).toContain("`nonsense`: unknown field");
  });
  test("a patch sent to Edit is refused with the tool it belongs to", () => {
    expect(problemOf("Edit", { patch: "LP1\nEND" })).toContain(
      "`patch`: unknown field here; it belongs to apply_patch",
    );
  });
});
