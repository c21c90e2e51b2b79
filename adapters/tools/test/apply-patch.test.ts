import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHash } from "node:crypto";
import type { Staged, ToolResult, ToolRunContext } from "@capstan/ports";
import type { ToolCode } from "../src/tool-entry.ts";
import { type Action, ToolRefusal } from "@capstan/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApplyPatchTool } from "../src/apply-patch.ts";
import { applyPatch } from "../src/definitions/apply-patch.ts";
import { defaultDeniedPatterns } from "@capstan/protocol";
import type { ToolsOptions } from "../src/options.ts";
import { WorkspacePaths } from "../src/paths/workspace-paths.ts";
import { quietContext, absentSandbox } from "@capstan/testkit";

let root: string;
let tool: ToolCode;
let known: Map<string, string>;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "capstan-patch-")));
  known = new Map();
  tool = createApplyPatchTool(options(), new WorkspacePaths(options()));
});
afterEach(async () => await rm(root, { recursive: true, force: true }));

function options(): ToolsOptions {
  const limits = { outputBytes: 10_000, readBytes: 10_000, scanBytes: 100_000, patchBytes: 5_000, writeBytes: 10_000 };
  return {
    deniedPatterns: defaultDeniedPatterns,
    allowAbsolute: true,
    home: "/home/nobody",
    ownFolders: [],
    sandbox: absentSandbox,
    spillDirectory: join(root, "..", "capstan-spill-none"),
    statusDirectory: join(root, "..", "capstan-runs-none"),
    environment: {},
    shell: undefined,
    timeouts: { fileMs: 30_000, commandMs: 1000, maxCommandMs: 1000, searchMs: 1000 },
    limits: { ...limits, searchResults: 10, globResults: 10 },
  };
}

function context(signal: AbortSignal = new AbortController().signal): ToolRunContext {
  return {
    workspace: { cwd: root, roots: [root] },
    ...quietContext,
    knownFile: (path) => known.get(path),
    signal,
    callId: "call",
    settle: { files: [] },
    onOutput: () => undefined,
  };
}

function hash(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** Puts a file there, seen by the model. */
async function put(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(join(root, path), content);
  known.set(join(root, path), hash(content));
}

async function text(path: string): Promise<string> {
  return await readFile(join(root, path), "utf8");
}

async function prepared(patch: string): Promise<Action> {
  return { ...(await tool.prepare({ patch }, context())), digest: "" };
}

async function staged(action: Action): Promise<Staged> {
  if (tool.stage === undefined) throw new Error("apply_patch stages");
  return await tool.stage(action, context());
}

/** The whole way of a call; what was observed is known afterwards, as the engine does it. */
async function apply(...body: readonly string[]): Promise<ToolResult> {
  const action = await prepared(["LP1", ...body, "END"].join("\n"));
  const result = await tool.run(action, await staged(action), context());
  for (const { path, sha256 } of result.observed ?? []) known.set(path, sha256);
  return result;
}

async function refused(...body: readonly string[]): Promise<readonly [code: string, message: string]> {
  try {
    await apply(...body);
  } catch (error) {
    if (error instanceof ToolRefusal) return [error.code, error.message];
    throw error;
  }
  throw new Error("the patch was applied");
}

describe("what the model reads", () => {
  test("the example of the description is a legal patch", async () => {
    await mkdir(join(root, "src"));
    await mkdir(join(root, "docs"));
    await put("src/a.ts", "old line\n");
    const { description } = applyPatch.definition(options());
    const action = await prepared(description.slice(description.indexOf("LP1\n"), description.indexOf("\nEND") + 4));
    const result = await tool.run(action, await staged(action), context());
    expect(result.status).toBe("ok");
    expect([await text("src/a.ts"), await text("docs/new.md")]).toEqual(["new line\n", "# Title\n"]);
  });
});

describe("a patch that fits", () => {
  test("changes several files and says what and where", async () => {
    await put("a.txt", "1\n2\n3\n4\n5\n");
    const result = await apply("F a.txt", "R", "3", ".", "three", ".", "F b.txt", "T", "x", ".", "N +");
    expect(result).toEqual({
      status: "ok",
      content: [
        "modified: a.txt\ncreated: b.txt\n",
        "--- a.txt\n+++ a.txt\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4",
        "--- /dev/null\n+++ b.txt\n@@ -0,0 +1,1 @@\n+x",
      ].join("\n"),
      changes: [
        expect.objectContaining({ path: "a.txt", kind: "modified", addedLines: 1, removedLines: 1 }),
        expect.objectContaining({ path: "b.txt", kind: "created", addedLines: 1, removedLines: 0 }),
      ],
      observed: [
        { path: join(root, "a.txt"), sha256: hash("1\n2\nthree\n4\n5\n") },
        { path: join(root, "b.txt"), sha256: hash("x\n") },
      ],
    });
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["1\n2\nthree\n4\n5\n", "x\n"]);
  });
  test("needs no re-read before the next one", async () => {
    await put("a.txt", "1\n");
    await apply("F a.txt", "R", "1", ".", "2", ".");
    await apply("F a.txt", "R", "2", ".", "3", ".", "F b.txt", "T", "x", ".");
    await apply("F b.txt", "I", "x", ".", "y", ".", "N +");
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["3\n", "x\ny\n"]);
  });
  test("of several sections for one file applies them in sequence", async () => {
    await put("a.txt", "1\n");
    await symlink(join(root, "a.txt"), join(root, "link.txt"));
    const result = await apply("F a.txt", "R", "1", ".", "2", ".", "F ./link.txt", "R", "2", ".", "3", ".");
    expect([result.content.split("\n")[0], await text("a.txt")]).toEqual(["modified: a.txt", "3\n"]);
  });
  test("may change what it has just created in an earlier section", async () => {
    await apply("F new.txt", "T", "1", ".", "N +", "F new.txt", "R", "1", ".", "2", ".");
    expect(await text("new.txt")).toBe("2\n");
  });
  test("makes the directories of a new file", async () => {
    await apply("F deep/er/new.txt", "T", "x", ".");
    expect(await text("deep/er/new.txt")).toBe("x");
  });
  test("keeps mode, byte order mark, CRLF and a missing final newline", async () => {
    await put("run.sh", "\uFEFFa\r\nb");
    await chmod(join(root, "run.sh"), 0o750);
    await apply("F run.sh", "R", "b", ".", "c", "d", ".");
    expect(await text("run.sh")).toBe("\uFEFFa\r\nc\r\nd");
    expect((await stat(join(root, "run.sh"))).mode & 0o777).toBe(0o750);
  });
  test("says so when mixed line ends become uniform", async () => {
    await put("a.txt", "1\r\n2\r\n3\n");
    const result = await apply("F a.txt", "R", "3", ".", "x", ".");
    expect(result.content.split("\n")[0]).toBe("modified: a.txt (its mixed line ends are uniform now)");
    expect(await text("a.txt")).toBe("1\r\n2\r\nx\r\n");
  });
  test("empties a file without deleting it, and creates an empty one", async () => {
    await put("a.txt", "1\n");
    await apply("F a.txt", "E", "1", ".", "F empty.txt", "T", ".");
    expect([await text("a.txt"), await text("empty.txt")]).toEqual(["", ""]);
  });
  test("takes names with spaces, quotes and umlauts", async () => {
    await apply('F "a b/ü \\"x\\".txt"', "T", "x", ".");
    expect(await text('a b/ü "x".txt')).toBe("x");
  });
  test("cuts a long diff", async () => {
    const result = await apply("F a.txt", "T", ...Array.from({ length: 300 }, (_, index) => `line ${index} xxx`), ".");
    expect(result.content.length).toBeLessThan(4200);
    expect(result.content.endsWith("\n[diff truncated]")).toBe(true);
  });
});

describe("a patch without effect", () => {
  const nothing = { status: "ok", content: "No changes applied.", changes: [], observed: [] };
  test("no sections", async () => expect(await apply()).toEqual(nothing));
  test("a section without operations, of a file or of none", async () => {
    await put("a.txt", "1\r\n2\n");
    expect(await apply("F a.txt", "F none.txt")).toEqual(nothing);
    await expect(stat(join(root, "none.txt"))).rejects.toThrow("ENOENT");
  });
  test("operations that cancel each other out", async () => {
    await put("a.txt", "1\n");
    expect(await apply("F a.txt", "T", "2", ".", "E", "2", ".")).toEqual(nothing);
  });
});

describe("a patch that does not fit changes nothing", () => {
  test("a file that was not read", async () => {
    await writeFile(join(root, "a.txt"), "1\n");
    expect(await refused("F a.txt", "T", "2", ".")).toEqual([
      "file.not-read",
      'Patch line 2: File was not read before patching: "a.txt". No file was changed. Read it with read_file, then patch.',
    ]);
  });
  test("a file that changed since", async () => {
    await put("a.txt", "1\n");
    await writeFile(join(root, "a.txt"), "other\n");
    const [code, message] = await refused("F a.txt", "T", "2", ".");
    expect([code, message.includes("File content changed since last read")]).toEqual(["file.stale", true]);
  });
  test("a match in a file that does not exist", async () => {
    expect(await refused("F none.txt", "T", "1", ".", "E", "1", ".")).toEqual([
      "patch.failed",
      'Patch line 6: File does not exist for match-based operation (E): "none.txt". No file was changed. A new file takes only T, B and N.',
    ]);
  });
  test("a failing second file leaves the first alone", async () => {
    await put("a.txt", "1\n");
    await put("b.txt", "1\n");
    expect(await refused("F a.txt", "R", "1", ".", "2", ".", "F b.txt", "T", "3", ".", "E", "zz", ".")).toEqual([
      "patch.failed",
      'Patch line 12: "b.txt", operation 2 (E): Match not found. No file was changed. Nothing in the file is like it; read the file again and copy whole lines exactly.',
    ]);
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["1\n", "1\n"]);
  });
  test("a directory", async () => {
    await mkdir(join(root, "dir"));
    expect((await refused("F dir", "T", "1", "."))[0]).toBe("path.not-a-file");
  });
  test("a path that would be a file and a directory", async () => {
    expect(await refused("F a", "T", "1", ".", "F a/b", "T", "1", ".")).toEqual([
      "patch.failed",
      '"a" cannot be a file and the directory of "a/b". No file was changed.',
    ]);
    await expect(stat(join(root, "a"))).rejects.toThrow("ENOENT");
  });
  test.each([
    [Buffer.from([0x61, 0xff, 0x0a]), "Invalid UTF-8 in file (line 1)"],
    [Buffer.from("a\rb\n"), "Bare CR in file (line 1)"],
  ])("%j is not patched", async (bytes, problem) => {
    await put("a.txt", bytes);
    const [code, message] = await refused("F a.txt", "T", "1", ".");
    expect([code, message.includes(problem)]).toEqual(["patch.failed", true]);
  });
  test.each([
    ["../out.txt", "path.outside"],
    ["/etc/passwd", "path.outside"],
    [".env", "path.denied"],
    [".git/config", "path.denied"],
    ["sub/.SSH/id", "path.denied"],
  ])("%s is refused before anything else, even behind a good section", async (path, code) => {
    await expect(prepared(`LP1\nF ok.txt\nT\n1\n.\nF ${path}\nT\n1\n.\nEND`)).rejects.toMatchObject({
      code,
      kind: "denied",
    });
    await expect(stat(join(root, "ok.txt"))).rejects.toThrow("ENOENT");
  });
  test("a patch beyond the limit", async () => {
    expect(await refused("F a.txt", "T", "x".repeat(6000), ".")).toEqual([
      "tool.arguments-too-large",
      "Patch exceeds max_patch_bytes: 6020 > 5000 bytes. Send several smaller patches.",
    ]);
  });
  test("more work than is done at once, however it is spread over sections", async () => {
    await put("a.txt", "\n".repeat(500_000));
    const [code, message] = await refused(...Array.from({ length: 50 }, () => ["F a.txt", "N +"]).flat());
    expect([code, message.includes("Too many operations")]).toEqual(["patch.failed", true]);
  });
  test("another format", async () => {
    await expect(prepared("*** Begin Patch\n*** End Patch")).rejects.toMatchObject({ code: "patch.syntax" });
  });
});

describe("between the stages", () => {
  test("the action names every file once, for policy and people", async () => {
    await mkdir(join(root, "src"));
    const action = await prepared("LP1\nF src/a.ts\nT\n.\nF b.ts\nT\n.\nF ./src/a.ts\nT\n.\nEND");
    expect(action).toEqual({
      tool: "apply_patch",
      arguments: { patch: "LP1\nF src/a.ts\nT\n.\nF b.ts\nT\n.\nF ./src/a.ts\nT\n.\nEND" },
      effect: "write",
      risk: "medium",
      paths: [
        { real: join(root, "src/a.ts"), shown: "src/a.ts", access: "write" },
        { real: join(root, "b.ts"), shown: "b.ts", access: "write" },
      ],
      summary: "patch src/a.ts, b.ts",
      digest: "",
    });
  });
  test("staging shows recovery what will be, and changes nothing", async () => {
    await put("a.txt", "1\n");
    const { settle, changes, proposal } = await staged(await prepared("LP1\nF a.txt\nT\n2\n.\nF b.txt\nT\nx\n.\nEND"));
    expect(settle).toEqual({
      files: [
        { path: join(root, "a.txt"), before: hash("1\n"), after: hash("1\n2\n"), afterBytes: 4 },
        { path: join(root, "b.txt"), before: null, after: hash("x"), afterBytes: 1 },
      ],
    });
    expect(changes.map(({ path, kind }) => [path, kind])).toEqual([
      ["a.txt", "modified"],
      ["b.txt", "created"],
    ]);
    expect(proposal).toContain("modified: a.txt\ncreated: b.txt\n");
    expect(await text("a.txt")).toBe("1\n");
  });
  test("a file that changes between staging and commit is stale, and no other file is changed", async () => {
    await put("a.txt", "1\n");
    await put("b.txt", "1\n");
    const action = await prepared("LP1\nF a.txt\nT\n2\n.\nF b.txt\nT\n2\n.\nEND");
    const work = await staged(action);
    await writeFile(join(root, "b.txt"), "theirs\n");
    expect(await tool.run(action, work, context())).toMatchObject({ status: "failed", code: "file.stale" });
    expect([await text("a.txt"), await text("b.txt")]).toEqual(["1\n", "theirs\n"]);
  });
  test("a new file that appears between staging and commit is not overwritten", async () => {
    const action = await prepared("LP1\nF a.txt\nT\n2\n.\nEND");
    const work = await staged(action);
    await writeFile(join(root, "a.txt"), "theirs\n");
    expect(await tool.run(action, work, context())).toMatchObject({ status: "failed", code: "file.stale" });
    expect(await text("a.txt")).toBe("theirs\n");
  });
  test("a path that leads elsewhere by then is refused", async () => {
    await mkdir(join(root, "one"));
    await mkdir(join(root, "two"));
    await symlink("one", join(root, "link"));
    const action = await prepared("LP1\nF link/a.txt\nT\n2\n.\nEND");
    await rm(join(root, "link"));
    await symlink("two", join(root, "link"));
    await expect(staged(action)).rejects.toMatchObject({ code: "file.stale" });
  });
  test("a cancelled call throws the reason and writes nothing", async () => {
    const action = await prepared("LP1\nF a.txt\nT\n2\n.\nEND");
    const work = await staged(action);
    const stop = new AbortController();
    stop.abort(new Error("stopped"));
    await expect(tool.run(action, work, context(stop.signal))).rejects.toThrow("stopped");
    await expect(stat(join(root, "a.txt"))).rejects.toThrow("ENOENT");
  });
  test("running without staging does the same work", async () => {
    await put("a.txt", "1\n");
    const action = await prepared("LP1\nF a.txt\nT\n2\n.\nEND");
    expect(await tool.run(action, undefined, context())).toMatchObject({ status: "ok" });
    known.clear();
    expect(await tool.run(action, undefined, context())).toMatchObject({ status: "failed", code: "file.not-read" });
  });
});
