import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type IgnoreRules, isIgnored, parseIgnoreRules } from "../../src/walk/ignore-rules.ts";
import { Workshop } from "../workshop.ts";

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
);
// Git reads "a**" as if a slash stood between, by the way it skips what is the same before; a part with two stars among others is left out.
const name = fc
  .array(piece, { minLength: 1, maxLength: 3 })
  .map((pieces) => pieces.join(""))
  .filter((text) => text === "**" || !text.includes("**"));
const line = fc
  .tuple(
    fc.constantFrom("", "!", "#", "\\!", "/"),
    fc.array(name, { minLength: 1, maxLength: 3 }),
    fc.constantFrom("", "/", " ", "\\ ", "\r", "/**"),
  )
  .map(([start, names, end]) => start + names.join("/") + end);
const lines = fc.array(line, { minLength: 1, maxLength: 6 });
const file = fc
  .array(fc.constantFrom("a", "b", "ab", "c", ".x", "a.x", "é", "*", "!a", "#a", "a ", "]"), {
    minLength: 1,
    maxLength: 3,
  })
  .map((names) => names.join("/"));

/** Whether a file is ignored, itself or by a folder above it. */
function judge(top: string, inner: string, path: string): boolean {
  const root: IgnoreRules = { depth: 0, rules: parseIgnoreRules(Buffer.from(top)), above: undefined };
  const below: IgnoreRules = { depth: 1, rules: parseIgnoreRules(Buffer.from(inner)), above: root };
  const names = path.split("/").map((one) => Buffer.from(one).toString("latin1"));
  return names.some((one, at) => {
    const rules = at > 0 && names[0] === "a" ? below : root;
    return isIgnored(rules, { folders: names.slice(0, at), name: one, isFolder: at < names.length - 1 });
  });
}

test("rules mean what they mean to Git", () => {
  const shop = new Workshop();
  shop.userGit("init", "-q");
  mkdirSync(shop.path("a"));
  fc.assert(
    fc.property(lines, lines, fc.array(file, { minLength: 1, maxLength: 20 }), (top, inner, files) => {
      writeFileSync(shop.path(".gitignore"), top.join("\n"));
      writeFileSync(shop.path("a/.gitignore"), inner.join("\n"));
      // The files need not exist; a name alone counts as a file. One that is a folder in another path is left out.
      const folders = new Set(files.flatMap((path) => ancestors(path)));
      const asked = [...new Set(files)].filter((path) => path !== "a" && !folders.has(path));
      const answer = spawnSync("git", ["-c", "core.quotePath=false", "check-ignore", "--no-index", "--stdin", "-z"], {
        cwd: shop.root,
        input: asked.map((path) => `${path}\0`).join(""),
        encoding: "utf8",
      });
      const ignored = new Set(answer.stdout.split("\0").filter(Boolean));
      const ours = asked.filter((path) => judge(top.join("\n"), inner.join("\n"), path));
      expect(new Set(ours)).toEqual(ignored);
    }),
    { numRuns: 150 },
  );
});

test("a hostile pattern takes no longer than name and pattern are long, multiplied", () => {
  const hostile = `${"*a".repeat(100)}*b`;
  const rules = {
    depth: 0,
    rules: parseIgnoreRules(Buffer.from(`${hostile}\n${"**/".repeat(50)}x\n`)),
    above: undefined,
  };
  const folders = Array.from({ length: 100 }, () => "a".repeat(200));
  expect(isIgnored(rules, { folders, name: "a".repeat(255), isFolder: false })).toBe(false);
});

function ancestors(path: string): readonly string[] {
  const above = dirname(path);
  return above === "." ? [] : [above, ...ancestors(above)];
}
