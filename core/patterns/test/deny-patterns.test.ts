import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DenyPatterns } from "../src/deny-patterns.ts";
import { namesOfPath } from "../src/is-within.ts";

function deny(...patterns: readonly string[]): (path: string, ...opened: readonly string[]) => boolean {
  const read = DenyPatterns.read(patterns);
  if ("problem" in read) throw new Error(read.problem);
  return (path, ...opened) => read.find(namesOfPath(path, opened.length === 0 ? ["/ws"] : opened)) !== undefined;
}

describe("what a pattern covers", () => {
  const cases: readonly (readonly [pattern: string, covered: readonly string[], free: readonly string[]])[] = [
    [".env", ["/ws/.env", "/ws/a/.ENV", "/ws/.env/x", "/ws/.e\u200dnv"], ["/ws/.envs", "/ws/a.env"]],
    ["**/*.env", ["/ws/.env", "/ws/a/b.env"], ["/ws/b.env.ts"]],
    ["secrets/**", ["/ws/secrets", "/ws/secrets/a/b"], ["/ws/a/secrets/b"]],
    ["secrets/", ["/ws/secrets/a", "/ws/a/secrets"], ["/ws/secret"]],
    ["./secrets", ["/ws/secrets/a"], ["/ws/a/secrets"]],
    ["/ws/a/**", ["/ws/a", "/ws/a/b"], ["/ws/b"]],
    ["**/{id_rsa,*.pem}", ["/ws/a/id_rsa", "/ws/KEY.PEM/x"], ["/ws/pem"]],
    ["**/a*b*c*d*e", ["/ws/axbxcxdxe", "/ws/x/abcde"], ["/ws/abcd", "/ws/src/cart.js"]],
    ["app/[id]/key", ["/ws/app/[id]/key", "/ws/app/i/key"], ["/ws/app/x/key"]],
    ["**/[!a]b", ["/ws/cb"], ["/ws/b", "/ws/ab"]],
    ["**/STRASSE", ["/ws/straße"], ["/ws/strase"]],
    ["**/kelvin", ["/ws/\u212aelvin"], []],
    ["**/ΟΔΟΣ*", ["/ws/οδος", "/ws/οδοσα"], []],
    ["**/name", ["/ws/name:stream", "/ws/name. ", "/ws/n%61me"], ["/ws/names"]],
    ["**/odd*key", ["/ws/odd\nkey"], []],
    [
      "**/.env.*",
      [
        "/ws/.env.local",
        "/ws/a/.env.production",
        "/ws/.env.example.local",
        "/ws/.env.example/secret",
        "/ws/.env.example/.env.local",
        "/ws/.env.d/.env.example",
        "/ws/.env.local/a/.env.sample",
        "/ws/.env.%6cocal",
      ],
      ["/ws/.env.example", "/ws/a/.ENV.Sample", "/ws/.env.template", "/ws/.env.dist"],
    ],
    ["**/id_rsa*", ["/ws/id_rsa", "/ws/id_rsa.old", "/ws/id_rsa.pub/x", "/ws/id_rsa.pub.key"], ["/ws/a/id_rsa.pub"]],
    ["**/.env.example", ["/ws/.env.example"], ["/ws/.env.sample"]],
  ];
  test.each(cases)("%s", (pattern, covered, free) => {
    const isDenied = deny(pattern);
    expect([...covered, ...free].filter((path) => isDenied(path))).toEqual(covered);
  });
});

test("a folder above those that the user opened is not judged by itself, unless its content is named", () => {
  expect(deny("**/ws")("/ws/a")).toBe(false);
  expect(deny("**/ws")("/ws/ws/a")).toBe(true);
  expect(deny("**/ws/**")("/ws/a")).toBe(true);
  expect(deny("**/ws")("/ws/sub/a", "/ws/sub")).toBe(false);
});

test("a pattern with a slash counts from every opened folder", () => {
  expect(deny("keys/a")("/ws/sub/keys/a", "/ws", "/ws/sub")).toBe(true);
  expect(deny("keys/a")("/ws/sub/keys/a", "/ws")).toBe(false);
});

const unreadable: readonly (readonly [pattern: string, problem: RegExp])[] = [
  ["", /empty/],
  ["~/keys", /absolute path/],
  ["!**/.env", /negated/],
  ["../keys", /absolute path/],
  ["**/@(a|b)", /write `\{a,b\}`/],
  ["**/[a", /write `\\\[`/],
];
test.each(unreadable)("%j cannot be read, and says what to write instead", (pattern, problem) => {
  expect(DenyPatterns.read(["**/.env", pattern])).toEqual({ pattern, problem: expect.stringMatching(problem) });
});

test("a path that every file system sees alike is judged as one that they do not", () => {
  const patterns = [".env", "**/.env.*", "**/*.PEM", "keys/a", "**/[ab]x", "a:b", "{a.key,.npmrc}", "**/e%6ev"];
  const parts = [
    ".env",
    ".ENV",
    "local",
    "example",
    "A.pem",
    "keys",
    "a",
    "b",
    "x",
    ".",
    "/",
    "a.key",
    "e%6ev",
    ":",
    " ",
  ];
  const rest = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
  fc.assert(
    fc.property(fc.subarray(patterns, { minLength: 1 }), rest, (some, path) => {
      const isDenied = deny(...some);
      expect(isDenied(`/ws/${path}`, "/ws")).toBe(isDenied(`/ws:/${path}`, "/ws:"));
    }),
    { numRuns: 2000 },
  );
});
