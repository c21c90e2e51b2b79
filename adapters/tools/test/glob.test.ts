import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@capstan/protocol";
import { describe, expect, test } from "vitest";
import { createGlobTool } from "../src/glob.ts";
import { WorkspacePaths } from "../src/paths/workspace-paths.ts";
import { testOptions } from "./run-command/call-command.ts";
import { type SearchPlace, searchPlace } from "./search/search-place.ts";
import { quietContext } from "@capstan/testkit";

function tree(paths: readonly string[]): SearchPlace {
  return searchPlace(createGlobTool, Object.fromEntries(paths.map((path) => [path, ""])));
}

async function listed(paths: readonly string[], args: JsonObject): Promise<string> {
  return (await tree(paths).call(args)).content;
}

const files = [
  "a.ts",
  "b.js",
  "src/c.ts",
  "src/c-d.ts",
  "src/c/e.ts",
  "src/c/f.test.ts",
  ".github/ci.yml",
  "src/.h.ts",
  "[x]/y.ts",
  "ä 1.txt",
];

describe("a pattern lists what it matches, in order", () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ["one name", { pattern: "*.ts" }, ["a.ts"]],
    [
      "any depth",
      { pattern: "**/*.ts" },
      ["[x]/y.ts", "a.ts", "src/c-d.ts", "src/c.ts", "src/c/e.ts", "src/c/f.test.ts"],
    ],
    ["`*` stays inside a name", { pattern: "src/*.ts" }, ["src/c-d.ts", "src/c.ts"]],
    ["braces", { pattern: "{a,b}.{ts,js}" }, ["a.ts", "b.js"]],
    [
      "nested braces and ranges",
      { pattern: "{[a-b].*,src/{c,x}/[e-f]*}" },
      ["a.ts", "b.js", "src/c/e.ts", "src/c/f.test.ts"],
    ],
    ["a numeric range", { pattern: "ä {1..3}.txt" }, ["ä 1.txt"]],
    ["one character", { pattern: "?.??" }, ["a.ts", "b.js"]],
    ["a directory", { pattern: "src/c/" }, ["src/c/e.ts", "src/c/f.test.ts"]],
    ["everything in it", { pattern: "src/**" }, ["src/c-d.ts", "src/c.ts", "src/c/e.ts", "src/c/f.test.ts"]],
    ["a plain path", { pattern: "./src//c.ts" }, ["src/c.ts"]],
    ["an escaped bracket", { pattern: "\\[x\\]/*" }, ["[x]/y.ts"]],
    ["below a path", { pattern: "*.ts", path: "src/c" }, ["src/c/e.ts", "src/c/f.test.ts"]],
    ["up and down", { pattern: "../../a.*", path: "src/c" }, ["a.ts"]],
    ["hidden names are listed on demand", { pattern: "**/*h*", hidden: true }, ["src/.h.ts"]],
    ["a hidden name that is spelled out", { pattern: ".github/**" }, [".github/ci.yml"]],
    ["a hidden name deeper down", { pattern: "**/.h.ts" }, ["src/.h.ts"]],
    ["negated characters", { pattern: "[!b].*" }, ["a.ts"]],
  ])("%s", async (_name, args, expected) => {
    expect(await listed(files, args)).toBe(expected.join("\n"));
  });

  test("an absolute pattern inside the workspace is the same as a relative one", async () => {
    const place = tree(files);
    expect((await place.call({ pattern: `${place.cwd}/src/*.ts` })).content).toBe("src/c-d.ts\nsrc/c.ts");
  });

  test("nothing found is an answer, with advice", async () => {
    expect(await listed(files, { pattern: "**/*.py" })).toBe("No files match pattern: **/*.py");
    expect(await listed(files, { pattern: "e.ts" })).toBe(
      "No files match pattern: e.ts (looked only at the top of .; **/e.ts looks everywhere)",
    );
  });

  test("the limit is said", async () => {
    const place = tree(files);
    expect(await place.call({ pattern: "**/*.ts", limit: 2 })).toEqual({
      status: "ok",
      content: "[x]/y.ts\na.ts\n[truncated at 2 matches]",
      details: { count: 2, truncated: true },
    });
    expect((await place.call({ pattern: "*.{ts,js}", limit: 2 })).content).toBe("a.ts\nb.js");
  });
});

describe("what is not looked at", () => {
  test("ignored files, .git, and what lies behind links", async () => {
    const place = tree([
      "x.log",
      "keep.log",
      "out/a.js",
      "src/out/a.js",
      ".git/config",
      "src/.git/config",
      "src/b.js",
      "ex.js",
      "pkg/c.js",
    ]);
    place.write({
      ".gitignore": "*.log\n!keep.log\n/out\nout/ \n# ex.js\n",
      ".git/info/exclude": "ex.js\n",
      "src/.gitignore": "!out/\n",
    });
    symlinkSync("/etc", join(place.cwd, "etc"));
    symlinkSync("..", join(place.cwd, "src", "loop"));
    expect((await place.call({ pattern: "**", hidden: true })).content.split("\n")).toEqual([
      ".gitignore",
      "etc",
      "keep.log",
      "pkg/c.js",
      "src/.gitignore",
      "src/b.js",
      "src/loop",
      "src/out/a.js",
    ]);
  });

  test("protected files may be named", async () => {
    expect(await listed([".env", "src/k.pem"], { pattern: "**", hidden: true })).toBe(".env\nsrc/k.pem");
  });

  test("odd names are shown inert", async () => {
    expect(await listed(["a\u001b[2J\n.ts", "\u202e.ts"], { pattern: "*" })).toBe(
      "a⟨U+001B⟩[2J⟨U+000A⟩.ts\n⟨U+202E⟩.ts",
    );
  });
});

describe("refusals name the way out", () => {
  test.each<[JsonObject, string]>([
    [{ pattern: "../*" }, "path.outside"],
    [{ pattern: "/etc/*" }, "path.outside"],
    [{ pattern: "*", path: "/" }, "path.outside"],
    [{ pattern: "a/*/../b" }, "tool.bad-arguments"],
    [{ pattern: "[a" }, "tool.bad-arguments"],
    [{ pattern: "" }, "tool.bad-arguments"],
    [{ pattern: "f{1..999}" }, "tool.bad-arguments"],
    [{ pattern: "*", limit: 10_001 }, "tool.bad-arguments"],
    [{ pattern: "*", path: "gone" }, "path.not-found"],
    [{ pattern: "*", path: "a.ts" }, "tool.bad-arguments"],
  ])("%j: %s", async (args, code) => {
    await expect(tree(files).prepare(args)).rejects.toMatchObject({ code });
  });

  test("a start that was swapped for a link after the check is not entered", async () => {
    const place = tree(["src/a.ts"]);
    const action = await place.prepare({ pattern: "**", path: "src" });
    rmSync(join(place.cwd, "src"), { recursive: true });
    symlinkSync("/etc", join(place.cwd, "src"));
    const tool = createGlobTool(testOptions("/nowhere"), new WorkspacePaths(testOptions("/nowhere")));
    const run = tool.run({ ...action, digest: "0" }, undefined, {
      workspace: place.workspace,
      ...quietContext,
      signal: new AbortController().signal,
      callId: "c",
      settle: { files: [] },
      onOutput: () => undefined,
    });
    expect(await run).toMatchObject({ status: "failed", code: "path.outside" });
  });
});

describe("hostile trees and patterns end soon", () => {
  test("patterns full of wildcards take linear time", async () => {
    const name = "a".repeat(250);
    expect(await listed([name], { pattern: `${"*a".repeat(100)}b` })).toContain("No files match");
    const deep = Array.from({ length: 60 }, () => "a").join("/");
    expect(await listed([deep], { pattern: `${"**/a/".repeat(50)}b` })).toContain("No files match");
  });

  test("so do the rules of a repository", async () => {
    const place = tree(["a".repeat(250)]);
    place.write({ ".gitignore": `${"*a".repeat(100)}b\n`.repeat(100) });
    expect((await place.call({ pattern: "*" })).content).toBe("a".repeat(250));
  });

  test("very deep directories are cut off, and the result says so", async () => {
    const place = tree(["top.txt"]);
    mkdirSync(join(place.cwd, ...Array.from({ length: 400 }, () => "d")), { recursive: true });
    expect((await place.call({ pattern: "**" })).content).toBe(
      "top.txt\n[not everything was looked at: the tree is too large. Start deeper with path.]",
    );
  });

  test("a cancelled call throws the reason", async () => {
    const reason = new Error("stop");
    await expect(tree(files).call({ pattern: "**" }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
