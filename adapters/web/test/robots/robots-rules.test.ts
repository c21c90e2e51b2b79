import { expect, test } from "vitest";
import { parseRobots } from "../../src/robots/robots-rules.ts";

/** Paths that these rules leave closed. */
function closed(text: string, paths: readonly string[]): readonly string[] {
  const rules = parseRobots(text, "capstan-webfetch/1.0");
  return paths.filter((path) => !rules.mayFetch(path));
}

test("the longest rule counts, and of two of one length the one that allows", () => {
  const rules = "user-agent: *\ndisallow: /a\nallow: /a/b\ndisallow: /a/b/c # why\nallow: /d\ndisallow: /d\n";
  expect(closed(rules, ["/", "/a", "/a/x", "/a/b", "/a/b/c", "/d", "/e"])).toEqual(["/a", "/a/x", "/a/b/c"]);
});

test("`*` stands for anything and `$` for the end", () => {
  const rules = "User-Agent: *\nDisallow: /*.pdf$\nDisallow: /x*y*z\nDisallow: /end$\nDisallow: /*?secret=";
  const paths = ["/a.pdf", "/a.pdf?b", "/.pdf", "/xyz", "/x1y2z3", "/xzy", "/end", "/end/", "/p?secret=1", "/p"];
  expect(closed(rules, paths)).toEqual(["/a.pdf", "/.pdf", "/xyz", "/x1y2z3", "/end", "/p?secret=1"]);
});

test("the group with the longest part of our name counts, then `*`; groups of one name are one", () => {
  const rules =
    "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: Capstan\nDisallow: /a\n\nUser-agent: capstan-webfetch\nDisallow: /b\nUser-agent: capstan-webfetch\nDisallow: /c";
  expect(closed(rules, ["/", "/a", "/b", "/c"])).toEqual(["/b", "/c"]);
  expect(closed("User-agent: other\nDisallow: /", ["/"])).toEqual([]);
  expect(closed("User-agent: *\nDisallow:", ["/"])).toEqual([]);
  expect(closed("Disallow: /", ["/"])).toEqual([]);
});

test("hostile rules take linear work", () => {
  const rules = `User-agent: *\n${`Disallow: /${"*a".repeat(500)}$\n`.repeat(4000)}`;
  expect(closed(rules, [`/${"a".repeat(400)}b`])).toEqual([]);
  expect(closed("\ufeffuser-agent:*\r\ndisallow:/größe", ["/gr%C3%B6%C3%9Fe"])).toEqual(["/gr%C3%B6%C3%9Fe"]);
});
