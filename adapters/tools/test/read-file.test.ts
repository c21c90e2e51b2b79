import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ToolsOptions } from "../src/options.ts";
import { createReadFileTool } from "../src/read-file.ts";
import { outcomeOf, sha, textOf, workspaceFixture, type WorkspaceFixture } from "./workspace-fixture.ts";
import { quietContext } from "@capstan/testkit";

interface ReadArguments {
  readonly [key: string]: string | number;
}

function readerOf(limits: Partial<ToolsOptions["limits"]> = {}): {
  readonly fixture: WorkspaceFixture;
  readonly read: (args: ReadArguments) => ReturnType<WorkspaceFixture["call"]>;
} {
  const standard = workspaceFixture();
  const fixture = workspaceFixture({ limits: { ...standard.options.limits, ...limits } });
  const tool = createReadFileTool(fixture.options, fixture.paths);
  return { fixture, read: async (args) => await fixture.call(tool, args) };
}

test("a file comes with line numbers, and its hash is recorded", async () => {
  const { fixture, read } = readerOf();
  const real = fixture.write("src/a.ts", "one\n\ttwo\n");
  expect(await read({ path: "src/a.ts" })).toEqual({
    type: "result",
    result: {
      status: "ok",
      content: "1\tone\n2\t\ttwo",
      details: { startLine: 1, endLine: 2, totalLines: 2, truncated: false },
      observed: [{ path: real, sha256: sha("one\n\ttwo\n") }],
    },
  });
});

const contents: readonly (readonly [name: string, content: string, args: ReadArguments, expected: string])[] = [
  ["numbers are aligned to the widest", "x\n".repeat(10), { start_line: 9 }, " 9\tx\n10\tx"],
  ["a range says how much follows", "a\nb\nc\nd\n", { start_line: 2, end_line: 3 }, "2\tb\n3\tc"],
  ["only a start reads to the end", "a\nb\nc\n", { start_line: 2 }, "2\tb\n3\tc"],
  ["only an end reads from the start", "a\nb\nc\n", { end_line: 1 }, "1\ta"],
  ["an end beyond the file is the file's end", "a\n", { start_line: 1, end_line: 99 }, "1\ta"],
  ["an empty file says so", "", {}, "[f is empty.]"],
  ["a single line end is one empty line", "\n", {}, "1\t"],
  ["the mark of the byte order is not part of line 1", "\ufeffone\n", {}, "1\tone"],
  ["a mark alone is an empty file", "\ufeff", {}, "[f is empty.]"],
  ["CRLF is shown as LF and noted", "a\r\nb\r\n", {}, "1\ta\n2\tb\n[The file has CRLF line ends.]"],
  ["mixed line ends are noted", "a\r\nb\nc\n", {}, "1\ta\n2\tb\n3\tc\n[The file has mixed line ends (CRLF and LF).]"],
  [
    "CRLF without a last line end is CRLF",
    "a\r\nb",
    {},
    "1\ta\n2\tb\n[The file has CRLF line ends. No line end at the end of the file.]",
  ],
  ["CRLF before a last LF is mixed", "a\r\nb\n", {}, "1\ta\n2\tb\n[The file has mixed line ends (CRLF and LF).]"],
  ["a missing last line end is noted", "a\nb", {}, "1\ta\n2\tb\n[No line end at the end of the file.]"],
  ["text beyond ASCII is whole", "żółć 🦆\n", {}, "1\tżółć 🦆"],
];
test.each(contents)("%s", async (_name, content, args, expected) => {
  const { fixture, read } = readerOf();
  fixture.write("f", content);
  expect(outcomeOf(await read({ path: "f", ...args }))).toBe(expected);
});

test("output is cut after a whole line, with the way to read on, and reading on misses nothing", async () => {
  const { fixture, read } = readerOf({ outputBytes: 600 });
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`);
  fixture.write("f", `${lines.join("\n")}\n`);
  const seen: string[] = [];
  for (let start: number | undefined = 1; start !== undefined;) {
    const text = textOf(await read({ path: "f", start_line: start }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(600);
    seen.push(
      ...text
        .split("\n")
        .filter((line) => line.includes("\t"))
        .map((line) => line.replace(/^ *\d+\t/, "")),
    );
    const next = /Read on with start_line=(\d+)/.exec(text)?.[1];
    start = next === undefined ? undefined : Number(next);
  }
  expect(seen).toEqual(lines);
});

test("one line longer than everything allowed is cut between characters", async () => {
  const { fixture, read } = readerOf({ outputBytes: 500 });
  fixture.write("f", `${"ż".repeat(1000)}\nnext\n`);
  const text = textOf(await read({ path: "f" }));
  expect(text).toMatch(
    /^1\tż+\n\[Line 1 is too long and was cut; search finds text in it\. Output cut after line 1 of 2\. Read on with start_line=2\.\]$/,
  );
});

test("a large file is read in ranges, and its hash is that of the whole", async () => {
  const { fixture, read } = readerOf({ readBytes: 1000 });
  const content = "0123456789\n".repeat(200);
  const real = fixture.write("f", content);
  expect(outcomeOf(await read({ path: "f" }))).toBe("file.too-large");
  expect(textOf(await read({ path: "f" }))).toContain("start_line and end_line");
  expect(fixture.known.size).toBe(0);
  expect(outcomeOf(await read({ path: "f", start_line: 150, end_line: 150 }))).toBe("150\t0123456789");
  expect(fixture.known.get(real)).toBe(sha(content));
});

test("lines beyond the scanning limit are not reachable, and the answer says what to do", async () => {
  const { fixture, read } = readerOf({ scanBytes: 1000 });
  const content = "0123456789\n".repeat(200);
  const real = fixture.write("f", content);
  expect(textOf(await read({ path: "f", start_line: 90, end_line: 99 }))).toBe(
    "90\t0123456789\n[Only the first 1000 of 2200 bytes can be read by lines; search finds text in the rest.]",
  );
  expect(fixture.known.get(real)).toBe(sha(content));
  const beyond = await read({ path: "f", start_line: 150 });
  expect([outcomeOf(beyond), textOf(beyond)]).toEqual([
    "file.too-large",
    expect.stringContaining("which hold 90 lines"),
  ]);
});

test("one endless line is shown as far as it goes", async () => {
  const { fixture, read } = readerOf({ scanBytes: 1001, outputBytes: 600 });
  fixture.write("f", "ż".repeat(4000));
  expect(textOf(await read({ path: "f", start_line: 1 }))).toMatch(/^1\tż+\n\[Line 1 is too long/);
});

test("a file too large to hash gives no record of having been seen", async () => {
  const { fixture, read } = readerOf();
  const real = fixture.write("f", "first\n");
  truncateSync(real, 0);
  writeFileSync(real, "0123456789abcde\n".repeat(700_000));
  expect(outcomeOf(await read({ path: "f", start_line: 1, end_line: 1 }))).toBe("1\t0123456789abcde");
  expect(fixture.known.size).toBe(0);
});

test("what is not text is named with its size", async () => {
  const { fixture, read } = readerOf();
  const files: readonly (readonly [content: Buffer, expected: string])[] = [
    [Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"), '"f" is not UTF-8 text: PNG image, 10 bytes.'],
    [Buffer.from("a\0b"), '"f" is not UTF-8 text: binary data, 3 bytes.'],
    [Buffer.from("caf\xe9\n", "latin1"), '"f" is not UTF-8 text: text in another encoding than UTF-8, 5 bytes.'],
    [Buffer.from("\ufeffhi", "utf16le"), '"f" is not UTF-8 text: UTF-16 text, 6 bytes.'],
    [
      Buffer.concat([Buffer.alloc(9000, "a"), Buffer.from([0xff])]),
      '"f" is not UTF-8 text: text in another encoding than UTF-8, 9001 bytes.',
    ],
  ];
  for (const [content, expected] of files) {
    fixture.write("f", content);
    const called = await read({ path: "f" });
    expect([outcomeOf(called), textOf(called)]).toEqual(["file.binary", expected]);
    expect(outcomeOf(await read({ path: "f", start_line: 1 }))).toBe("file.binary");
  }
  expect(fixture.known.size).toBe(0);
});

test("what cannot be read is refused before anything runs", async () => {
  const { fixture, read } = readerOf();
  mkdirSync(join(fixture.workspace.cwd, "dir"));
  fixture.write("notes.md", "");
  const cases: readonly (readonly [args: ReadArguments, code: string, text: string])[] = [
    [{ path: "note.md" }, "path.not-found", '"notes.md"'],
    [{ path: "../x" }, "path.outside", "outside the workspace"],
    [{ path: ".env" }, "path.denied", "protected"],
    [{ path: "notes.md", start_line: 5, end_line: 2 }, "tool.bad-arguments", "after"],
  ];
  for (const [args, code, text] of cases) {
    const called = await read(args);
    expect([called.type, outcomeOf(called), textOf(called)]).toEqual(["refused", code, expect.stringContaining(text)]);
  }
});

test("a directory is listed", async () => {
  const { fixture } = readerOf();
  mkdirSync(join(fixture.workspace.cwd, "dir"));
  const action = await fixture.prepare(createReadFileTool(fixture.options, fixture.paths), { path: "dir" });
  expect(action).toMatchObject({ tool: "list_directory", arguments: { path: "dir", depth: 2 }, effect: "read" });
});

test("a start beyond the end says how long the file is", async () => {
  const { fixture, read } = readerOf();
  fixture.write("f", "a\nb\n");
  const called = await read({ path: "f", start_line: 3 });
  expect([outcomeOf(called), textOf(called)]).toEqual([
    "tool.bad-arguments",
    'start_line 3 is past the end: "f" has 2 lines.',
  ]);
});

test("the action names the real place, and its summary is one inert line", async () => {
  const { fixture } = readerOf();
  const tool = createReadFileTool(fixture.options, fixture.paths);
  const name = `a\u200b${"🦆".repeat(50)}`;
  const real = fixture.write(name, "x");
  const action = await fixture.prepare(tool, { path: name, start_line: 2 });
  expect(action).toMatchObject({
    tool: "read_file",
    effect: "read",
    risk: "low",
    paths: [{ real, shown: name, access: "read" }],
  });
  expect(action.summary).toBe(`Read a⟨U+200B⟩${"🦆".repeat(50)}, lines 2-end`);
});

test("a path that leads elsewhere than when it was judged is not read", async () => {
  const { fixture } = readerOf();
  const tool = createReadFileTool(fixture.options, fixture.paths);
  fixture.write("a", "a");
  const action = await fixture.prepare(tool, { path: "a" });
  const moved = { ...action, paths: [{ real: join(fixture.workspace.cwd, "b"), shown: "b", access: "read" as const }] };
  expect(await fixture.run(tool, moved, undefined)).toMatchObject({ status: "failed", code: "file.stale" });
});

test("an abort is thrown on with its reason", async () => {
  const { fixture } = readerOf();
  const tool = createReadFileTool(fixture.options, fixture.paths);
  fixture.write("a", "a");
  const action = await fixture.prepare(tool, { path: "a" });
  const reason = new Error("cancelled");
  const context = {
    workspace: fixture.workspace,
    ...quietContext,
    signal: AbortSignal.abort(reason),
    callId: "c",
    settle: { files: [] },
    onOutput: () => undefined,
  };
  await expect(tool.run(action, undefined, context)).rejects.toBe(reason);
});
