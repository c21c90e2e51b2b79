import { runs } from "@capstan/testkit";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEditFileTool } from "../src/edit-file.ts";
import { createReadFileTool } from "../src/read-file.ts";
import { outcomeOf, sha, textOf, workspaceFixture, type Called, type WorkspaceFixture } from "./workspace-fixture.ts";

interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

interface Editor {
  readonly fixture: WorkspaceFixture;
  /** Edits `f` without reading it first. */
  readonly edit: (edit: Edit) => Promise<Called>;
  readonly read: () => Promise<Called>;
}

function editor(): Editor {
  const fixture = workspaceFixture();
  const [edit, read] = [
    createEditFileTool(fixture.options, fixture.paths),
    createReadFileTool(fixture.options, fixture.paths),
  ];
  return {
    fixture,
    edit: async (wanted) =>
      await fixture.call(edit, {
        path: "f",
        old_string: wanted.old,
        new_string: wanted.new,
        ...(wanted.all === undefined ? {} : { replace_all: wanted.all }),
      }),
    read: async () => await fixture.call(read, { path: "f" }),
  };
}

/** Reads and edits a file with this content; the file afterwards, or the code of the refusal. */
async function edited(content: string, wanted: Edit): Promise<string> {
  const { fixture, edit, read } = editor();
  fixture.write("f", content);
  await read();
  const called = await edit(wanted);
  const refused = called.type === "refused" || called.result.status === "failed";
  return refused ? outcomeOf(called) : fixture.read("f");
}

const edits: readonly (readonly [name: string, content: string, edit: Edit, expected: string])[] = [
  ["a unique text is replaced", "a\nb\nc\n", { old: "b", new: "B" }, "a\nB\nc\n"],
  ["several lines become others", "a\nb\nc\n", { old: "a\nb", new: "x\ny\nz" }, "x\ny\nz\nc\n"],
  ["text is deleted", "a\nb\nc\n", { old: "b\n", new: "" }, "a\nc\n"],
  ["dollar signs mean nothing", "price\n", { old: "price", new: "$& $1 $$ $` $'" }, "$& $1 $$ $` $'\n"],
  ["signs of expressions mean nothing", "a.c abc\n", { old: "a.c", new: "x" }, "x abc\n"],
  ["a missing last line end stays missing", "a\nb", { old: "a", new: "A" }, "A\nb"],
  ["the mark at the start stays", "\ufeffa\n", { old: "a", new: "b" }, "\ufeffb\n"],
  ["a quoted mark is not doubled", "\ufeffa\n", { old: "\ufeffa", new: "\ufeffb" }, "\ufeffb\n"],
  ["a mark alone is no text to replace", "\ufeffa\n", { old: "\ufeff", new: "b" }, "tool.bad-arguments"],
  ["all occurrences, when asked to", "a-a-a\n", { old: "a", new: "aa", all: true }, "aa-aa-aa\n"],
  ["two occurrences are refused", "a\na\n", { old: "a", new: "b" }, "edit.not-unique"],
  ["overlapping occurrences are refused", "aaa\n", { old: "aa", new: "b" }, "edit.not-unique"],
  ["no occurrence is refused", "a\n", { old: "b", new: "c" }, "edit.no-match"],
  ["case counts", "Abc\n", { old: "abc", new: "x" }, "edit.no-match"],
  ["white space counts", "  a\n", { old: "\ta", new: "x" }, "edit.no-match"],
  ["the same text is refused", "a\n", { old: "a", new: "a" }, "tool.bad-arguments"],
  ["an empty text in a file with content is refused", "a\n", { old: "", new: "b" }, "tool.bad-arguments"],
  ["an empty file is filled", "", { old: "", new: "b\n" }, "b\n"],
  [
    "LF stands for CRLF, and CRLF stays",
    "a\r\nb\r\nc\r\n",
    { old: "a\nb\n", new: "x\ny\nz\n" },
    "x\r\ny\r\nz\r\nc\r\n",
  ],
  ["new lines in a CRLF file are CRLF", "a\r\nb\r\n", { old: "b", new: "b1\nb2" }, "a\r\nb1\r\nb2\r\n"],
  ["explicit CRLF is what was written", "a\r\nb\r\n", { old: "a\r\nb", new: "x\r\ny" }, "x\r\ny\r\n"],
  ["line ends can be changed explicitly", "a\r\nb\r\n", { old: "\r\n", new: "\n", all: true }, "a\nb\n"],
  ["CRLF written for an LF file matches it", "a\nb\n", { old: "a\r\nb", new: "x\r\ny" }, "x\ny\n"],
  [
    "in a mixed file, what is replaced says which line end",
    "a\r\nb\nc\nd\n",
    { old: "a\nb", new: "x\ny" },
    "x\r\ny\nc\nd\n",
  ],
  ["in a mixed file, the rest stays as it is", "a\r\nb\nc\r\nd\n", { old: "b", new: "B" }, "a\r\nB\nc\r\nd\n"],
  ["a match may begin at a line end", "a\r\nb\r\nc", { old: "\nb", new: "" }, "a\r\nc"],
  [
    "every occurrence in a CRLF file",
    "a\r\na\r\na\r\n",
    { old: "a\n", new: "b\nc\n", all: true },
    "b\r\nc\r\nb\r\nc\r\nb\r\nc\r\n",
  ],
];
test.each(edits)("%s", async (_name, content, edit, expected) => {
  expect(await edited(content, edit)).toBe(expected);
});

test("answers with one line, the change, and the new hash, so that the next edit needs no reading", async () => {
  const { fixture, edit, read } = editor();
  const real = fixture.write("f", "a\nb\n");
  await read();
  expect(await edit({ old: "b", new: "B" })).toEqual({
    type: "result",
    result: {
      status: "ok",
      content: "Edited f, 1 replacement.",
      changes: [
        {
          path: "f",
          kind: "modified",
          addedLines: 1,
          removedLines: 1,
          diff: "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n",
        },
      ],
      observed: [{ path: real, sha256: sha("a\nB\n") }],
    },
  });
  expect(outcomeOf(await edit({ old: "a", new: "A" }))).toBe("Edited f, 1 replacement.");
  expect(fixture.read("f")).toBe("A\nB\n");
});

test("a file that was not read, or changed since, is not edited", async () => {
  const { fixture, edit, read } = editor();
  fixture.write("f", "a\n");
  expect(outcomeOf(await edit({ old: "a", new: "b" }))).toBe("file.not-read");
  await read();
  fixture.write("f", "a \n");
  expect(outcomeOf(await edit({ old: "a", new: "b" }))).toBe("file.stale");
  expect(fixture.read("f")).toBe("a \n");
});

test("a file that changes between staging and running is not edited", async () => {
  const { fixture, read } = editor();
  const tool = createEditFileTool(fixture.options, fixture.paths);
  const real = fixture.write("f", "a\n");
  await read();
  const action = await fixture.prepare(tool, { path: "f", old_string: "a", new_string: "b" });
  const staged = await fixture.stage(tool, action);
  expect(staged?.settle).toEqual({ files: [{ path: real, before: sha("a\n"), after: sha("b\n"), afterBytes: 2 }] });
  fixture.write("f", "theirs\n");
  expect(await fixture.run(tool, action, staged)).toMatchObject({ status: "failed", code: "file.stale" });
  expect(fixture.read("f")).toBe("theirs\n");
});

test("an empty old text creates a missing file; another one does not", async () => {
  const { fixture, edit } = editor();
  fixture.write("ff", "");
  const missing = await edit({ old: "x", new: "y" });
  expect([outcomeOf(missing), textOf(missing)]).toEqual([
    "path.not-found",
    expect.stringContaining('"f" does not exist'),
  ]);
  expect(outcomeOf(await edit({ old: "", new: "one\n" }))).toBe("Created f (1 line).");
  expect(outcomeOf(await edit({ old: "one", new: "two" }))).toBe("Edited f, 1 replacement.");
});

test("the mode stays", async () => {
  const { fixture, edit, read } = editor();
  chmodSync(fixture.write("f", "a\n"), 0o755);
  await read();
  await edit({ old: "a", new: "b" });
  expect(statSync(join(fixture.workspace.cwd, "f")).mode & 0o7777).toBe(0o755);
});

test("a refusal helps: where it occurs, and what is nearest", async () => {
  const { fixture, edit, read } = editor();
  fixture.write("f", "function one() {\n    return 1;\n}\nfunction two() {\n    return 2;\n}\nreturn 1;\n");
  await read();
  const help = async (old: string): Promise<string> => textOf(await edit({ old, new: "x" }));
  expect(await help("return 1;")).toContain('occurs 2 times in "f", at lines 2, 7.');
  expect(await help("\treturn 2;")).toBe(
    'old_string does not occur in "f". Only white space of line 5 differs; the file has:\n5\t    return 2;',
  );
  expect(await help("function too() {")).toContain("Nearest lines:\n1\tfunction one() {\n4\tfunction two() {");
  expect(await help("5\t    return 2;")).toContain("leave out the numbers");
  expect(await help("zzzzzz")).toContain("No similar line");
});

test("a result that would be too large is refused before it is made", async () => {
  const { fixture, edit, read } = editor();
  fixture.write("f", "a".repeat(100_000));
  await read();
  expect(outcomeOf(await edit({ old: "a", new: "b".repeat(100_000), all: true }))).toBe("file.too-large");
});

test("a file that is not text is not edited, even when its hash is known", async () => {
  const { fixture, edit } = editor();
  const content = Buffer.from([0x61, 0xff, 0x0a]);
  fixture.known.set(fixture.write("f", content), sha(content));
  expect(outcomeOf(await edit({ old: "a", new: "b" }))).toBe("file.binary");
});

test("for any text without CRLF: the same as splitting and joining, and otherwise nothing is touched", async () => {
  const { fixture, edit, read } = editor();
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "$", "ż", "🦆", "\t"), maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(letters, letters, letters, fc.boolean(), async (content, old, replacement, all) => {
      fixture.write("f", content);
      await read();
      const called = await edit({ old, new: replacement, all });
      const pieces = content.split(old);
      const usable = old !== "" && old !== replacement;
      const unique = pieces.length === 2 && content.indexOf(old, content.indexOf(old) + 1) === -1;
      const fits = usable && (unique || (all && pieces.length > 1));
      const filled = content === "" && old === "" && replacement !== "";
      const done = called.type === "result" && called.result.status === "ok";
      expect([done, fixture.read("f")]).toEqual([
        fits || filled,
        filled ? replacement : fits ? pieces.join(replacement) : content,
      ]);
    }),
    { numRuns: runs(150) },
  );
});

test("for any text, an edit in a CRLF file is the edit of its LF form", async () => {
  const { fixture, edit, read } = editor();
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", " "), maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(letters, letters, letters, async (content, old, replacement) => {
      fc.pre(content.includes("\n") && old !== "" && old !== replacement && content.includes(old));
      fixture.write("f", content.replaceAll("\n", "\r\n"));
      await read();
      await edit({ old, new: replacement, all: true });
      expect(fixture.read("f")).toBe(content.split(old).join(replacement).replaceAll("\n", "\r\n"));
    }),
    { numRuns: runs(100) },
  );
});

describe("several edits of one call", () => {
  test("are made in order, all or none", async () => {
    const fixture = workspaceFixture();
    const tool = createEditFileTool(fixture.options, fixture.paths);
    fixture.known.set(fixture.write("a.txt", "one two two\n"), sha("one two two\n"));
    const several = [
      { old_string: "one", new_string: "1" },
      { old_string: "two", new_string: "2", replace_all: true },
    ];
    const failing = await fixture.call(tool, {
      path: "a.txt",
      edits: [...several, { old_string: "none", new_string: "" }],
    });
    expect(textOf(failing)).toMatch(/^Edit 3 of 3: old_string does not occur/);
    expect(fixture.read("a.txt")).toBe("one two two\n");
    expect(textOf(await fixture.call(tool, { path: "a.txt", edits: several }))).toBe("Edited a.txt, 3 replacements.");
    expect(fixture.read("a.txt")).toBe("1 2 2\n");
    const again = [{ old_string: "1 2 2", new_string: "3" }];
    await fixture.call(tool, { path: "a.txt", edits: again });
    expect(fixture.read("a.txt")).toBe("3\n");
  });
  test("begin with an empty text where the file is new", async () => {
    const fixture = workspaceFixture();
    const tool = createEditFileTool(fixture.options, fixture.paths);
    const several = [
      { old_string: "", new_string: "first\n" },
      { old_string: "first", new_string: "second" },
    ];
    await fixture.call(tool, { path: "new.txt", edits: several });
    expect(fixture.read("new.txt")).toBe("second\n");
  });
  test("as many replacements as were expected, or none", async () => {
    const fixture = workspaceFixture();
    const tool = createEditFileTool(fixture.options, fixture.paths);
    fixture.known.set(fixture.write("a.txt", "x x\n"), sha("x x\n"));
    const edit = { path: "a.txt", old_string: "x", new_string: "y" };
    expect(outcomeOf(await fixture.call(tool, { ...edit, expected_replacements: 3 }))).toBe("edit.not-unique");
    await fixture.call(tool, { ...edit, expected_replacements: 2 });
    expect(fixture.read("a.txt")).toBe("y y\n");
  });
});
