import { readdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { expect, test } from "vitest";
import { builtInSource } from "../src/index.ts";
import { type WorkspaceFixture, workspaceFixture } from "./workspace-fixture.ts";

/** What this process has open below a folder, but for the pipes that are made for the next command. */
function openBelow(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    const to = targetOf(join("/proc/self/fd", name));
    return to?.startsWith(`${folder}/`) === true && !to.startsWith(`${folder}/spill/pipe-`)
      ? [to.slice(folder.length + 1)]
      : [];
  });
}

function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    // The listing's own.
    return undefined;
  }
}

function filled(): WorkspaceFixture {
  const place = workspaceFixture();
  place.write("a.txt", "one\ntwo\n");
  place.write("sub/deep/b.txt", "two\n");
  place.write("binary", Uint8Array.from([0, 1, 2]));
  place.write(".gitignore", "ignored\n");
  place.write(".env", "SECRET=1");
  place.write("book.ipynb", '{"cells":[{"cell_type":"code","source":["1"],"metadata":{},"outputs":[]}],"metadata":{}}');
  symlinkSync(place.base, join(place.workspace.cwd, "out"));
  return place;
}

const patch = (path: string): string => `*** Begin Patch\n*** Update File: ${path}\n@@\n-one\n+three\n*** End Patch\n`;

const calls: readonly (readonly [tool: string, JsonObject])[] = [
  ["read_file", { path: "a.txt" }],
  ["read_file", { path: "binary" }],
  ["read_file", { path: "sub" }],
  ["read_file", { path: "none" }],
  ["read_file", { path: ".env" }],
  ["read_file", { path: "out/ws/a.txt" }],
  ["read_many_files", { paths: ["a.txt", "none", "sub/deep/b.txt", "binary"] }],
  ["write_file", { path: "new/file.txt", content: "x" }],
  ["write_file", { path: "a.txt", content: "x", overwrite: true }],
  ["write_file", { path: "a.txt/inner", content: "x" }],
  ["write_file", { path: "sub", content: "x" }],
  ["write_file", { path: "out/file", content: "x" }],
  ["edit_file", { path: "a.txt", old_string: "two", new_string: "2" }],
  ["edit_file", { path: "a.txt", old_string: "nowhere", new_string: "2" }],
  ["edit_file", { path: "none", old_string: "two", new_string: "2" }],
  ["apply_patch", { patch: patch("a.txt") }],
  ["apply_patch", { patch: patch("sub/deep/b.txt") }],
  ["apply_patch", { patch: "nonsense" }],
  ["edit_notebook", { path: "book.ipynb", index: 0, source: "2" }],
  ["edit_notebook", { path: "a.txt", index: 0, source: "2" }],
  ["list_directory", { path: "." }],
  ["list_directory", { path: "a.txt" }],
  ["list_directory", { path: "none" }],
  ["glob", { pattern: "**/*.txt" }],
  ["glob", { pattern: "*", path: "none" }],
  ["search", { pattern: "two" }],
  ["search", { pattern: "(", path: "." }],
  ["search", { pattern: "two", path: "none" }],
  ["run_command", { argv: ["cat", "a.txt"] }],
  ["run_command", { argv: ["no-such-program-anywhere"] }],
  ["run_command", { argv: ["true"], cwd: "none" }],
];

test.skipIf(process.platform !== "linux").each(calls)(
  "%s leaves nothing open, however it ends: %o",
  async (name, args) => {
    const place = filled();
    const tool = builtInSource(place.options)
      .tools()
      .find(({ definition }) => definition.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    for (const time of ["first", "second"]) {
      await place.call(tool, args);
      expect([time, openBelow(place.base)]).toEqual([time, []]);
    }
  },
);
