import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { expect, test } from "vitest";
import { keyLines } from "../../../src/config/files/key-lines.ts";

test("each key and table has its line, whatever stands between", () => {
  const text = `# comment [not.a.table]
top = 1
"quoted key" = { inner = 1 }
a.b . 'c' = """
[not.a.table]
x = 1 \\"""
""""
list = [
  "]", # ]
  '[',
]
[table] # x
key = '''
key = 2'''
[ "t.t" . sub ]
key = "\\" # ["
[[rules]]
tool = "one"
[[rules]]
tool = "two"
[rules.deep]
x = 1
[table.sub]
last = 1`;
  const lines = keyLines(text);
  const check = (path: readonly string[], line: number | undefined) =>
    expect([path, lines.lineOf(path)]).toEqual([path, line]);
  check(["top"], 2);
  check(["quoted key"], 3);
  check(["quoted key", "inner"], 3);
  check(["a", "b", "c"], 4);
  check(["list"], 8);
  check(["table"], 12);
  check(["table", "key"], 13);
  check(["t.t", "sub", "key"], 16);
  check(["rules"], 17);
  check(["rules", "0", "tool"], 18);
  check(["rules", "1", "tool"], 20);
  check(["rules", "1", "deep", "x"], 22);
  check(["table", "sub", "last"], 24);
  check(["not"], undefined);
});

test("a mark of byte order and Windows line ends do not disturb", () => {
  expect(keyLines("\uFEFFa = 1\r\n\r\n[b]\r\nc = 2\r\n").lineOf(["b", "c"])).toBe(4);
});

test("for any document that parses, the line of each key holds its name", () => {
  const name = fc.stringMatching(/^[a-z]{1,4}$/);
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
  const document = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf)));
  fc.assert(
    fc.property(document, (values) => {
      const text = stringify(values);
      const lines = text.split("\n");
      const found = keyLines(text);
      for (const [key, value] of Object.entries(parse(text))) {
        const paths =
          typeof value === "object" && !Array.isArray(value) ? Object.keys(value).map((sub) => [key, sub]) : [[key]];
        for (const path of paths)
          expect(lines[(found.lineOf(path) ?? 0) - 1]).toMatch(new RegExp(`^${path.at(-1)} = `));
      }
    }),
  );
});
