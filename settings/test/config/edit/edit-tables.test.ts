import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { expect, test } from "vitest";
import { withoutTable, withTable } from "../../../src/config/edit/edit-tables.ts";

const docs = { group: "mcp_servers", name: "docs" };

const file = `# mine
[permissions] # rules
allow = [
  "read_file", # [mcp_servers.docs]
]

# the first server
[mcp_servers.docs]
url = "https://example.com/mcp" # over HTTP
# about headers
[mcp_servers.docs.headers]
X-Team = "a"

# the second one
[mcp_servers.docs-2]
command = "x"
`;

test("a table that is added stands last, and everything before it is as it was", async () => {
  const values = { command: "x", args: ['say "hi"', "a\\b"], env: { A: "1" }, writes: true };
  for (const before of ["", "a = 1", file]) {
    const after = await withTable("f", before, { ...docs, name: "new" }, values);
    expect(after.startsWith(before)).toBe(true);
    expect(parse(after)["mcp_servers"]).toMatchObject({ new: values });
    expect(await withoutTable("f", after, { ...docs, name: "new" })).toBe(before === "a = 1" ? "a = 1\n" : before);
  }
});

test("a table that is removed goes with its sub-tables and the comments in it; every other line stays", async () => {
  const after = await withoutTable("f", file, docs);
  expect(after).toBe(`# mine
[permissions] # rules
allow = [
  "read_file", # [mcp_servers.docs]
]

# the first server

# the second one
[mcp_servers.docs-2]
command = "x"
`);
  expect(await withoutTable("f", after ?? "", docs)).toBeUndefined();
});

test.each(["mcp_servers.docs.url = 'a'\n", "[mcp_servers]\ndocs = { url = 'a' }\ndocs2 = { url = 'b' }\n"])(
  "a table that is written another way is removed as well: %j",
  async (text) => {
    const after = parse((await withoutTable("f", text, docs)) ?? text);
    expect(after["mcp_servers"] ?? {}).not.toHaveProperty("docs");
  },
);

test.each([
  ["what has the name already", () => withTable("f", file, docs, {}), "f has [mcp_servers.docs] already"],
  ["an inline table of servers", () => withTable("f", "mcp_servers = {}", docs, {}), "cannot be changed safely"],
  ["one to remove from", () => withoutTable("f", "mcp_servers = { docs = {} }", docs), "cannot be changed safely"],
  ["what is no TOML", () => withoutTable("f", "a =", docs), "f:1:"],
])("%s is refused, and nothing comes out", async (_what, change, words) => {
  await expect(change()).rejects.toThrow(words);
});

test("whatever the other tables hold, they mean the same after a table was added and removed", async () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/);
  const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }));
  const tables = fc.dictionary(name, fc.dictionary(name, value, { maxKeys: 3 }), { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(tables, tables, async (others, servers) => {
      const { docs: _same, ...rest } = servers;
      const text = stringify({ ...others, mcp_servers: rest });
      const added = await withTable("f", text, docs, { command: "x" });
      expect(parse(added)).toEqual(parse(`${text}\n[mcp_servers.docs]\ncommand = "x"\n`));
      expect(await withoutTable("f", added, docs)).toBe(text.endsWith("\n") || text === "" ? text : `${text}\n`);
    }),
    { numRuns: 60 },
  );
});
