import { runs } from "@capstan/testkit";
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { RipgrepFinder } from "../../src/search/ripgrep/find-ripgrep.ts";
import { createSearchTool } from "../../src/search/search.ts";
import { placeIn, type SearchPlace, searchPlace } from "./search-place.ts";

type Files = Readonly<Record<string, string | Uint8Array>>;

function place(files: Files): SearchPlace {
  return searchPlace((options, paths) => createSearchTool(options, paths), files);
}

async function lines(files: Files, args: JsonObject): Promise<readonly string[]> {
  return (await place(files).call(args)).content.split("\n");
}

describe("search", () => {
  test("matches come in order of path and line, with totals", async () => {
    const files = { "b.ts": "x\nfoo\n", "a/z.ts": "foo", "a-b.ts": "foo foo\n\nfoo\n", "c.txt": "bar\n" };
    expect(await place(files).call({ pattern: "foo" })).toEqual({
      status: "ok",
      content: "4 matching lines in 3 files\na-b.ts:1: foo foo\na-b.ts:3: foo\na/z.ts:1: foo\nb.ts:2: foo",
      details: {
        matches: 4,
        files: 3,
        shown: 4,
        truncated: false,
        timed_out: false,
        places: [
          { path: "a-b.ts", line: 1, column: 1 },
          { path: "a-b.ts", line: 3, column: 1 },
          { path: "a/z.ts", line: 1, column: 1 },
          { path: "b.ts", line: 2, column: 1 },
        ],
      },
    });
  });

  test("nothing found is an answer", async () => {
    expect(await lines({ "a.txt": "x\n" }, { pattern: "nothing.*here" })).toEqual([
      "No lines match: nothing.*here (in .)",
    ]);
  });

  test.each<[string, string, JsonObject, readonly string[]]>([
    ["smart: lower case folds", "Foo\nfoo", { pattern: "foo" }, ["1: Foo", "2: foo"]],
    ["smart: upper case does not", "Foo\nfoo", { pattern: "Foo" }, ["1: Foo"]],
    ["smart: classes are no letters", "Foo\nfoo", { pattern: "\\Wfoo|fo\\w" }, ["1: Foo", "2: foo"]],
    ["smart: an upper case range counts", "Foo\nfoo", { pattern: "[A-Z]oo" }, ["1: Foo"]],
    ["sensitive", "Foo\nfoo", { pattern: "foo", case: "sensitive" }, ["2: foo"]],
    ["insensitive", "Foo\nfoo", { pattern: "FOO", case: "insensitive" }, ["1: Foo", "2: foo"]],
    ["fixed strings", "a.b\nacb\n(x", { pattern: "a.b", fixed_strings: true }, ["1: a.b"]],
    [
      "a fixed string that looks like a flag",
      "--pre=x\ny",
      { pattern: "--pre=x", fixed_strings: true },
      ["1: --pre=x"],
    ],
    ["words", "foo\nfoobar\nx foo-y", { pattern: "foo", word_regexp: true }, ["1: foo", "3: x foo-y"]],
    ["words of all scripts", "größe\ngröß", { pattern: "größ", word_regexp: true }, ["2: größ"]],
    ["anchors", "ab\nba", { pattern: "^a" }, ["1: ab"]],
    ["the end before CR LF", "ab\r\nba\r\n", { pattern: "a$" }, ["2: ba"]],
    ["no word behind a CR", "a\r\nb 1\r\n", { pattern: "1*", word_regexp: true }, ["2: b 1"]],
    ["no place behind a CR", "a\r\n\r\n", { pattern: "$^" }, ["2: "]],
    ["CR itself", "ab\r\nba\n", { pattern: "b\\r$" }, ["1: ab"]],
    ["counted repetition", "aaa\naa", { pattern: "^a{3}$" }, ["1: aaa"]],
    ["Unicode classes", "x\nλ\n5", { pattern: "\\p{Greek}|[[:digit:]]" }, ["2: λ", "3: 5"]],
    ["word boundaries", "a cat\nconcat", { pattern: "\\bcat\\b" }, ["1: a cat"]],
    ["class intersection", "a\ne\nx", { pattern: "^[a-z&&[aeiou]]$" }, ["1: a", "2: e"]],
    ["escapes", "a\tb\nA+", { pattern: "\\x61\\tb|A\\+" }, ["1: a\tb", "2: A+"]],
    ["flags in front", "FOO", { pattern: "(?i)foo", case: "sensitive" }, ["1: FOO"]],
    ["a byte order mark is not text", "\uFEFFfoo\n", { pattern: "^foo" }, ["1: foo"]],
    ["empty lines", "a\n\nb\n", { pattern: "^$" }, ["2: "]],
    ["no line end", "a\nb", { pattern: "b" }, ["2: b"]],
  ])("%s", async (_name, content, args, expected) => {
    expect((await lines({ "f.txt": content }, args)).slice(1)).toEqual(expected.map((line) => `f.txt:${line}`));
  });

  test("invalid bytes do not hide a line", async () => {
    const content = Buffer.concat([Buffer.from("foo "), Buffer.from([0xff, 0xfe]), Buffer.from(" bar\n")]);
    expect(await lines({ "f.txt": content }, { pattern: "bar" })).toEqual([
      "1 matching line in 1 file",
      "f.txt:1: foo \uFFFD\uFFFD bar",
    ]);
  });

  test("UTF-16 with a byte order mark is text, NUL is not", async () => {
    const files = {
      "wide.txt": Buffer.from("\uFEFFfoo\r\n", "utf16le"),
      "late.bin": "foo\n".repeat(20_000) + "\0",
      "early.bin": "\0foo\n",
    };
    expect(await lines(files, { pattern: "foo" })).toEqual(["1 matching line in 1 file", "wide.txt:1: foo"]);
    for (const path of ["late.bin", "early.bin"])
      expect(await lines(files, { pattern: "foo", path })).toEqual([
        `Nothing found where it was searched: foo (in ${path})`,
        `[not searched: 1 file with binary data (${path}).]`,
      ]);
  });

  test("what git ignores is not searched; nearer and later rules win", async () => {
    const files = {
      ".gitignore": "*.log\n/build/\nsecret?.txt\n!keep.log\n",
      ".git/info/exclude": "excluded.txt\n",
      ".git/config": "foo",
      "a.log": "foo",
      "keep.log": "foo",
      "build/x.txt": "foo",
      "src/build/x.txt": "foo",
      "secret1.txt": "foo",
      "excluded.txt": "foo",
      "src/.gitignore": "!a.log\nlocal/**\n",
      "src/a.log": "foo",
      "src/local/x.txt": "foo",
      ".hidden/x.txt": "foo",
      "x.txt": "foo",
    };
    expect((await lines(files, { pattern: "foo", output: "files" })).slice(1)).toEqual([
      "keep.log: 1",
      "src/a.log: 1",
      "src/build/x.txt: 1",
      "x.txt: 1",
    ]);
    expect((await lines(files, { pattern: "foo", output: "files", hidden: true })).slice(1)).toEqual([
      ".hidden/x.txt: 1",
      "keep.log: 1",
      "src/a.log: 1",
      "src/build/x.txt: 1",
      "x.txt: 1",
    ]);
    expect(
      (await lines({ ...files, "src/b.log": "foo" }, { pattern: "foo", output: "files", path: "src" })).slice(1),
    ).toEqual(["src/a.log: 1", "src/build/x.txt: 1"]);
    expect((await lines(files, { pattern: "foo", output: "files", path: "build" })).slice(1)).toEqual([
      "build/x.txt: 1",
    ]);
    expect((await lines(files, { pattern: "foo", output: "files", path: "a.log" })).slice(1)).toEqual(["a.log: 1"]);
  });

  test.each<[string, JsonObject, readonly string[]]>([
    ["a name at any depth", { include_glob: ["*.ts"] }, ["a.ts", "src/b.ts", "src/deep/c.ts"]],
    ["braces", { include_glob: ["*.{ts,md}"] }, ["a.ts", "r.md", "src/b.ts", "src/deep/c.ts"]],
    ["a directory", { include_glob: ["src/"] }, ["src/b.ts", "src/deep/c.ts"]],
    ["an anchored path", { include_glob: ["src/*.ts"] }, ["src/b.ts"]],
    ["excluded", { exclude_glob: ["deep", "*.md"] }, ["a.ts", "src/b.ts"]],
    ["exclusion wins", { include_glob: ["*.ts"], exclude_glob: ["src/**"] }, ["a.ts"]],
    ["a negated inclusion excludes", { include_glob: ["!*.ts"] }, ["r.md"]],
    [
      "ignored and hidden files are not brought back",
      { include_glob: ["*"] },
      ["a.ts", "r.md", "src/b.ts", "src/deep/c.ts"],
    ],
    ["one text for a list", { include_glob: "*.md" }, ["r.md"]],
    ["relative to the path", { include_glob: ["deep/*"], path: "src" }, ["src/deep/c.ts"]],
  ])("globs: %s", async (_name, args, expected) => {
    const files = {
      "a.ts": "x",
      "r.md": "x",
      "src/b.ts": "x",
      "src/deep/c.ts": "x",
      ".gitignore": "i.ts",
      "i.ts": "x",
      ".h.ts": "x",
    };
    const result = await lines(files, { pattern: "x", output: "files", ...args });
    expect(result.slice(1)).toEqual(expected.map((path) => `${path}: 1`));
  });

  test("protected files, links and their second names show nothing", async () => {
    const there = place({ ".env": "KEY=canary", "a/.ENV.local": "KEY=canary", "k.pem": "canary", "x.txt": "canary\n" });
    symlinkSync("/etc/passwd", join(there.cwd, "link.txt"));
    symlinkSync("x.txt", join(there.cwd, "inner.txt"));
    linkSync(join(there.cwd, ".env"), join(there.cwd, "innocent.txt"));
    const { content } = await there.call({ pattern: "canary|root:", hidden: true });
    // The second name of a protected file is not counted either: a count is an answer, too.
    expect(content.split("\n")).toEqual(["1 matching line in 1 file", "x.txt:1: canary"]);
    expect(content).not.toMatch(/env|pem|passwd|inner|innocent/i);
    await expect(there.call({ pattern: "KEY", path: ".env" })).rejects.toMatchObject({ code: "path.denied" });
    await expect(there.call({ pattern: "x", path: ".." })).rejects.toMatchObject({ code: "path.outside" });
  });

  test("context is shown around matches, without repeating a line", async () => {
    const files = {
      "f.txt": Array.from({ length: 20 }, (_, index) =>
        /^(3|5|12)$/.test(String(index + 1)) ? "hit" : `l${index + 1}`,
      ).join("\n"),
      "g.txt": "hit",
    };
    expect((await lines(files, { pattern: "hit", context: 2 })).slice(1)).toEqual([
      "f.txt-1- l1",
      "f.txt-2- l2",
      "f.txt:3: hit",
      "f.txt-4- l4",
      "f.txt:5: hit",
      "f.txt-6- l6",
      "f.txt-7- l7",
      "--",
      "f.txt-10- l10",
      "f.txt-11- l11",
      "f.txt:12: hit",
      "f.txt-13- l13",
      "f.txt-14- l14",
      "--",
      "g.txt:1: hit",
    ]);
  });

  test("of many matches the first are shown, the rest counted", async () => {
    const files = { "a.txt": "hit\n".repeat(150), "b.txt": "hit\n".repeat(150) };
    const result = await place(files).call({ pattern: "hit", max_results: 200 });
    const shown = result.content.split("\n");
    expect(shown[0]).toBe("300 matching lines in 2 files");
    expect(shown.slice(1, -1)).toEqual([
      ...Array.from({ length: 150 }, (_, index) => `a.txt:${index + 1}: hit`),
      ...Array.from({ length: 50 }, (_, index) => `b.txt:${index + 1}: hit`),
    ]);
    expect(shown.at(-1)).toBe(
      "[shown: 200 of 300 lines. Narrow it with path, include_glob or a longer pattern, or continue with offset 201.]",
    );
    const rest = (await place(files).call({ pattern: "hit", max_results: 200, offset: 201 })).content.split("\n");
    expect(rest.slice(1, -1)).toEqual(Array.from({ length: 100 }, (_, index) => `b.txt:${index + 51}: hit`));
    expect(rest.at(-1)).toBe("[shown: 201 to 300 of 300 lines.]");
    const behind = await place(files).call({ pattern: "hit", offset: 301 });
    expect(behind.content).toMatch(/\n\[offset 301 is behind the last of 300 lines\.\]$/);
    const second = await place(files).call({ pattern: "hit", output: "files", max_results: 1, offset: 2 });
    expect(second.content).toBe("300 matching lines in 2 files\nb.txt: 150\n[shown: 2 to 2 of 2 files.]");
  });

  test("far too many matches stop the search", async () => {
    const result = await place({ "a.txt": "hit\n".repeat(15_000), "b.txt": "hit\n".repeat(15_000) }).call({
      pattern: "hit",
      max_results: 1,
    });
    expect(result.content).toBe(
      "more than 30000 matching lines in 2 files\na.txt:1: hit\n[stopped: there is too much; shown: 1 lines. Narrow it with path, include_glob or a longer pattern.]",
    );
  });

  test("a long line is cut around its match", async () => {
    const [, line = ""] = await lines(
      { "f.min.js": `${"a".repeat(500_000)}needle${"b".repeat(500_000)}` },
      { pattern: "needle" },
    );
    expect(line).toBe(`f.min.js:1: …${"a".repeat(100)}needle${"b".repeat(294)}…`);
    expect((await lines({ "f.js": "a".repeat(300_000) }, { pattern: "a" }))[1]).toBe(`f.js:1: ${"a".repeat(400)}…`);
  });

  test("files that are too large are passed over, which is said; they are searched when path names them", async () => {
    const files = { "big.txt": `${"x".repeat(99)}\n`.repeat(20_001) + "needle\n" };
    const skipped = "[not searched: 1 file above 2 MB (big.txt). A large file is searched when path names it.]";
    expect(await lines(files, { pattern: "needle" })).toEqual([
      "Nothing found where it was searched: needle (in .)",
      skipped,
    ]);
    const also = { ...files, "sub/x.txt": "a needle\n", "sub/huge.txt": files["big.txt"] };
    expect(await lines(also, { pattern: "needle", path: "sub" })).toEqual([
      "1 matching line in 1 file",
      "sub/x.txt:1: a needle",
      skipped.replace("big.txt", "sub/huge.txt"),
    ]);
    expect(await lines(files, { pattern: "needle", path: "big.txt" })).toEqual([
      "1 matching line in 1 file",
      "big.txt:20002: needle",
    ]);
  });

  test("odd names are shown inert", async () => {
    const files = { "a\nb.txt": "hit", "\u001b[31mred.txt": "hit", "-rf": "hit", "ü 'x'.txt": "hit", "a:1: b": "hit" };
    expect((await lines(files, { pattern: "hit" })).slice(1)).toEqual([
      "⟨U+001B⟩[31mred.txt:1: hit",
      "-rf:1: hit",
      "a⟨U+000A⟩b.txt:1: hit",
      "a:1: b:1: hit",
      "ü 'x'.txt:1: hit",
    ]);
  });

  test.each(["(", "[", "a{", "*a", "(?=a)", "(?<!b)", "\\1", "\\q", "a\\nb", "[z-a]"])(
    "the pattern %s is refused with a reason",
    async (pattern) => {
      const result = await place({ "a.txt": "a\n" }).call({ pattern });
      expect(result).toMatchObject({
        status: "failed",
        code: "tool.failed",
        content: expect.stringMatching(/^The pattern is not valid\.\n./),
      });
      expect(result.content).not.toContain("--");
    },
  );

  test("a pattern that means nothing is refused also where there is no file", async () => {
    expect(await place({}).call({ pattern: "(" })).toMatchObject({ status: "failed", code: "tool.failed" });
    expect(await place({}).call({ pattern: "x" })).toMatchObject({ content: "No lines match: x (in .)" });
  });

  test("a file that cannot be opened is named, and nothing is said to be without a match", async () => {
    const there = place({ "a.txt": "x\n" });
    // A name that is no text: it can be listed, and not asked for.
    writeFileSync(Buffer.concat([Buffer.from(`${there.cwd}/b`), Buffer.from([0xff])]), "hit\n");
    expect((await there.call({ pattern: "hit" })).content).toBe(
      "Nothing found where it was searched: hit (in .)\n[not searched: 1 file that cannot be read (b\uFFFD).]",
    );
  });

  test("every file of many is searched, whatever its name looks like to a program", async () => {
    const odd = ["--pre=sh", "-e", "-", "a b", "{a,b}", "*", "!x", "line\nbreak", "'\"`$(x)", "\u202e.txt"];
    const names = [...odd, ...Array.from({ length: 1000 }, (_, index) => `d${index % 7}/f${index}`)];
    const result = await place(Object.fromEntries(names.map((name) => [name, "hit\n"]))).call({ pattern: "hit" });
    expect(result.details).toMatchObject({ matches: names.length, files: names.length, truncated: true });
  });

  test("a cancelled search throws the reason", async () => {
    const reason = new Error("stop");
    await expect(place({ "a.txt": "a\n" }).call({ pattern: "a" }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  test("pipes in the tree do not hold the search", async () => {
    const there = place({ "a.txt": "hit\n" });
    execFileSync("mkfifo", [join(there.cwd, "pipe")]);
    expect((await there.call({ pattern: "hit" })).content).toBe("1 matching line in 1 file\na.txt:1: hit");
  });
});

test("a search that takes too long fails with what it has", async () => {
  const options = { timeouts: { fileMs: 1000, commandMs: 1000, maxCommandMs: 1000, searchMs: 0 } };
  const there = searchPlace(createSearchTool, { "a.txt": "hit\n" }, options);
  const result = await there.call({ pattern: "hit" });
  expect(result).toMatchObject({ status: "failed", code: "tool.timeout" });
  expect(result.content).not.toContain("No lines match");
});

test("where there is no ripgrep, search says so and what to install", async () => {
  const none = { find: async () => await Promise.resolve(undefined) };
  const there = searchPlace((options, paths) => createSearchTool(options, paths, none), { "a.txt": "hit\n" });
  const result = await there.call({ pattern: "hit" });
  expect(result).toMatchObject({ status: "failed", code: "tool.failed" });
  expect(result.content).toMatch(/needs ripgrep.*apt install ripgrep/s);
});

test("a ripgrep that breaks down is no answer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-broken-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, "rg");
  writeFileSync(program, "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 });
  const finder = { find: async () => await Promise.resolve(program) };
  const broken = searchPlace((options, paths) => createSearchTool(options, paths, finder), { "a.txt": "hit\n" });
  expect(await broken.call({ pattern: "hit" })).toMatchObject({ status: "failed", code: "tool.failed" });
});

test("for any small tree, globs and ignore rules, what search looks through is what git, hidden names and globs leave", async () => {
  const name = fc.constantFrom("a", "b.ts", "C.ts", ".h", "d.log", "e f", "x");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `${names.join("/")}_`);
  const rule = fc.constantFrom(
    "*.ts_",
    "a/",
    "/a",
    "!b.ts_",
    "d.log*",
    "**/x_",
    "a/**",
    "C*/",
    "?.h_",
    "[ab]*",
    "x/*_",
  );
  const rules = fc.array(rule, { maxLength: 4 }).map((all) => `${all.join("\n")}\n`);
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { maxLength: 8 }),
      rules,
      rules,
      fc.boolean(),
      async (paths, top, inner, hidden) => {
        const base = mkdtempSync(join(tmpdir(), "capstan-chosen-"));
        try {
          const there = placeIn(base, (options, allowed) => createSearchTool(options, allowed));
          there.write({
            ...Object.fromEntries(paths.map((one) => [one, "hit\n"])),
            ".gitignore": top,
            "a/.gitignore": inner,
          });
          execFileSync("git", ["init", "-q"], { cwd: there.cwd });
          const listed = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard"], { cwd: there.cwd });
          const expected = listed
            .toString()
            .split("\0")
            .filter((one) => one !== "" && !one.endsWith(".gitignore"))
            .filter((one) => hidden || !one.split("/").some((part) => part.startsWith(".")));
          const result = await there.call({ pattern: "hit", output: "files", hidden });
          const found = result.content.split("\n").slice(1);
          expect(found.toSorted()).toEqual(expected.map((one) => `${one}: 1`).toSorted());
        } finally {
          rmSync(base, { recursive: true });
        }
      },
    ),
    { numRuns: runs(60) },
  );
}, 60_000);

test("a ripgrep inside the workspace is never run", async () => {
  const there = searchPlace((options, paths) => createSearchTool(options, paths), {});
  expect(await new RipgrepFinder(there.cwd).find(["/"])).toMatch(/node_modules.*rg$/);
});
