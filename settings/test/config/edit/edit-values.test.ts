import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { expect, test } from "vitest";
import { withoutValue, withValue } from "../../../src/config/edit/edit-values.ts";

const vim = ["tui", "vim"];

test.each([
  { about: "an empty file", before: "", after: "[tui]\nvim = true\n" },
  { about: "a file without the table", before: "# mine\na = 1", after: "# mine\na = 1\n\n[tui]\nvim = true\n" },
  { about: "the value itself", before: "[tui]\nvim = false # no\n# end\n", after: "[tui]\nvim = true # no\n# end\n" },
  {
    about: "a value over several lines",
    before: '[tui]\nvim = [ # odd\n  "a", # b\n] # c\nx = 1\n',
    after: "[tui]\nvim = true # c\nx = 1\n",
  },
  {
    about: "a table with other values",
    before: "[tui]\ntheme = 'dark' # d\n\n# next\n[app]\n",
    after: "[tui]\ntheme = 'dark' # d\nvim = true\n\n# next\n[app]\n",
  },
  { about: "an empty table", before: "[tui] # t\n[app]\n", after: "[tui] # t\nvim = true\n[app]\n" },
  { about: "dotted keys", before: "tui.theme = 'dark'\n[app]\n", after: "tui.theme = 'dark'\ntui.vim = true\n[app]\n" },
  {
    about: "a table on one line",
    before: "tui = { theme = 'dark' } # t\n",
    after: 'tui = { theme = "dark", vim = true } # t\n',
  },
  { about: "a table with tables below", before: "[tui.x]\na = 1\n", after: "[tui.x]\na = 1\n\n[tui]\nvim = true\n" },
])("a value is set in $about, and every other line stays", async ({ before, after }) => {
  expect(await withValue("f", before, vim, true)).toBe(after);
  expect(await withValue("f", after, vim, true)).toBe(after);
});

test("a value that is taken out leaves comments and the header, and is not there a second time", async () => {
  const text = "[tui]\n# mine\nvim = true # yes\ntheme = 'dark'\n";
  const after = await withoutValue("f", text, vim);
  expect(after).toBe("[tui]\n# mine\ntheme = 'dark'\n");
  expect(await withoutValue("f", after ?? "", vim)).toBeUndefined();
  expect(await withoutValue("f", "tui = { vim = true }\n", vim)).toBe("tui = {}\n");
});

test("a table of values is written whole, in the place of the one before it", async () => {
  const before = "[keys]\n# quick\nsteer = ['alt+s']\n\n[app]\nx = 1\n";
  const after = await withValue("f", before, ["keys"], { transcript: ["f2"] });
  expect(parse(after)).toEqual({ app: { x: 1 }, keys: { transcript: ["f2"] } });
  expect(await withValue("f", before, ["keys", "steer"], ["f3"])).toBe(before.replace("['alt+s']", '["f3"]'));
});

test("a file that is no TOML, or that cannot take the value, is refused", async () => {
  await expect(withValue("f", "a = \n", vim, true)).rejects.toThrow(/f:1:\d+:/);
  await expect(withValue("f", "[[tui]]\na = 1\n", vim, true)).rejects.toThrow(/cannot be changed safely/);
});

const names = fc.constantFrom("a", "b", "tui", "vim", "x.y", 'q"');
const values = fc.oneof(fc.integer(), fc.boolean(), fc.string(), fc.array(fc.string(), { maxLength: 3 }));
const tables = fc.dictionary(names, fc.oneof(values, fc.dictionary(names, values, { maxKeys: 3 })), { maxKeys: 4 });

test("whatever the file says, a value that was set is read back, and taking it out brings the rest back", async () => {
  await fc.assert(
    fc.asyncProperty(tables, names, names, values, async (table, group, name, value) => {
      const before = stringify(table);
      const below = table[group];
      fc.pre(below === undefined || (typeof below === "object" && !Array.isArray(below)));
      const after = await withValue("f", before, [group, name], value);
      expect(parse(after)[group]).toEqual({ ...below, [name]: value });
      const rest = parse((await withoutValue("f", after, [group, name])) ?? after);
      expect(rest[group]).not.toHaveProperty([name]);
    }),
    { numRuns: 200 },
  );
});
