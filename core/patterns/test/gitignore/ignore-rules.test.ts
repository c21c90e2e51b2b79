import { runs } from "@capstan/testkit";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { compileIgnorePattern } from "../../src/gitignore/ignore-pattern.ts";
import { bytesText, type IgnoreRules, judgeIgnored, parseIgnoreRules } from "../../src/gitignore/ignore-rules.ts";

const piece = fc.constantFrom(
  "a",
  "b",
  "*",
  "?",
  "**",
  "[ab]",
  "[!a]",
  "[^b-c]",
  "\\a",
  "\\*",
  ".x",
  "é",
  "[[:alpha:]]",
  "a*b",
  "[]a]",
  "[a-",
  "[\\]]",
  "[[:digit:]]*.log",
  "[z-a]x",
  "[a/b]",
  "***",
  "\\",
);
const name = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
const line = fc
  .tuple(
    fc.constantFrom("", "!", "#", "\\!", "/"),
    fc.array(name, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "/", " ", "\\ ", "\r", "/**"),
  )
  .map(([start, names, end]) => start + names.join("/") + end);
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const file = fc
  .array(fc.constantFrom("a", "b", "ab", "c", ".x", "a.x", "é", "*", "!a", "#a", "a ", "]", "1.log", "zx", "x"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.join("/"));

/** Whether a file is ignored, itself or by a folder above it. */
function judge(top: string, inner: string, path: string): boolean {
  const root: IgnoreRules = { depth: 0, rules: parseIgnoreRules(bytesText(top)), above: undefined };
  const below: IgnoreRules = { depth: 1, rules: parseIgnoreRules(bytesText(inner)), above: root };
  const names = path.split("/").map(bytesText);
  return names.some((one, at) => {
    const rules = at > 0 && names[0] === "a" ? below : root;
    return (
      judgeIgnored(rules, { folders: names.slice(0, at), name: one, isFolder: at < names.length - 1 }) === "ignored"
    );
  });
}

const repository = mkdtempSync(join(tmpdir(), "ignore-rules-"));
afterAll(() => rmSync(repository, { recursive: true }));

test("rules mean what they mean to Git", () => {
  spawnSync("git", ["init", "-q"], { cwd: repository });
  mkdirSync(join(repository, "a"));
  fc.assert(
    fc.property(lines, lines, fc.array(file, { minLength: 1, maxLength: 20 }), (top, inner, files) => {
      writeFileSync(join(repository, ".gitignore"), top.join("\n"));
      writeFileSync(join(repository, "a/.gitignore"), inner.join("\n"));
      // The files need not exist; a name alone counts as a file. One that is a folder in another path is left out.
      const folders = new Set(files.flatMap((path) => ancestors(path)));
      const asked = [...new Set(files)].filter((path) => path !== "a" && !folders.has(path));
      const answer = spawnSync("git", ["-c", "core.quotePath=false", "check-ignore", "--no-index", "--stdin", "-z"], {
        cwd: repository,
        input: asked.map((path) => `${path}\0`).join(""),
        encoding: "utf8",
      });
      const ignored = new Set(answer.stdout.split("\0").filter(Boolean));
      const ours = asked.filter((path) => judge(top.join("\n"), inner.join("\n"), path));
      expect(new Set(ours)).toEqual(ignored);
    }),
    { numRuns: runs(150) },
  );
});

test("the bytes of a name are those of UTF-8", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(bytesText(text)).toBe(Buffer.from(text).toString("latin1"));
    }),
  );
});

test("a hostile pattern takes no more steps than pattern and path are long, multiplied", () => {
  const path = Array.from({ length: 20 }, () => "a".repeat(200)).join("/");
  for (const pattern of [`${"*a".repeat(100)}*b`, `${"**/".repeat(50)}x`, `${"**/*a".repeat(50)}b`]) {
    const { matches, steps } = compileIgnorePattern(pattern)?.examine(path) ?? { matches: true, steps: 0 };
    expect(matches).toBe(false);
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThanOrEqual(4 * pattern.length * path.length);
  }
});

function ancestors(path: string): readonly string[] {
  const above = dirname(path);
  return above === "." ? [] : [above, ...ancestors(above)];
}
