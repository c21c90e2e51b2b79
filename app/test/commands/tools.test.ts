import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder, runWords, type Said } from "../run-words.ts";

function call(name: string, args: string, folder: string, ...flags: readonly string[]): Promise<Said> {
  return runWords(["tools", "call", name, args, "-C", folder, ...flags]);
}

function folderWith(name: string, content: string): string {
  const folder = newFolder();
  writeFileSync(join(folder, name), content);
  return folder;
}

test("the list names every tool once, and says the same in JSON", async () => {
  const { stdout } = await runWords(["tools", "list"]);
  const names = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ")[0]);
  expect(names).toContain("read_file");
  expect(new Set(names).size).toBe(names.length);
  const json = await runWords(["tools", "list", "--json"]);
  const listed: readonly { readonly name: string }[] = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(listed.map((tool) => tool.name)).toEqual(names);
});

test("a tool is shown under its name and under its aliases", async () => {
  const { stdout } = await runWords(["tools", "show", "read_file", "--json"]);
  const shown: { readonly aliases: readonly string[] } = JSON.parse(stdout);
  expect(shown).toMatchObject({ name: "read_file", effect: "read", inputSchema: { type: "object" } });
  for (const alias of shown.aliases.slice(0, 2))
    expect((await runWords(["tools", "show", alias, "--json"])).stdout).toBe(stdout);
});

test("a call runs in the workspace, and its words come out inert", async () => {
  const folder = folderWith("a.txt", "plain\n\u001b[2Jred\u202e\n");
  expect(await call("read_file", '{"path":"a.txt"}', folder)).toEqual({
    code: 0,
    stdout: "1\tplain\n2\tred\n",
    stderr: "",
  });
});

test("a call by hand counts as approval; a rule that denies still denies, and plan mode changes nothing", async () => {
  const folder = newFolder();
  const args = '{"path":"new.txt","content":"made"}';
  expect(await call("write_file", args, folder, "--deny", "write_file")).toMatchObject({
    code: 3,
    stdout: expect.stringMatching(/^Denied: /),
  });
  expect((await call("write_file", args, folder, "--permission-mode", "plan")).code).toBe(3);
  expect(() => readFileSync(join(folder, "new.txt"))).toThrow("ENOENT");
  expect((await call("write_file", args, folder)).code).toBe(0);
  expect(readFileSync(join(folder, "new.txt"), "utf8")).toBe("made");
});

test("in JSON the whole report is one line: action, judgement, outcome and changes", async () => {
  const folder = folderWith("a.txt", "x\n");
  const { code, stdout } = await call("read_file", '{"path":"a.txt"}', folder, "--json");
  expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 1]);
  expect(JSON.parse(stdout)).toMatchObject({
    action: {
      tool: "read_file",
      effect: "read",
      paths: [{ real: join(folder, "a.txt"), shown: "a.txt", access: "read" }],
    },
    judgement: { verdict: "allow" },
    outcome: { type: "done" },
    changes: [],
  });
});

test("arguments that cannot be a call, and tools that do not exist, are exit code 2; a failing call is 1", async () => {
  const folder = newFolder();
  for (const args of ["{not json", "[]", '"text"', "null", ""])
    expect(await call("read_file", args, folder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("[usage.invalid]"),
    });
  expect(await call("no_such_tool", "{}", folder)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no_such_tool"),
  });
  expect((await runWords(["tools", "show", "no_such_tool"])).code).toBe(2);
  expect((await call("read_file", "{}", folder)).code).toBe(1);
  expect((await call("read_file", '{"path":"missing.txt"}', folder)).code).toBe(1);
});
