import { expect, test } from "vitest";
import { readSkill } from "../src/read-skill.ts";

async function read(...lines: readonly string[]): Promise<Awaited<ReturnType<typeof readSkill>>> {
  return await readSkill("/skills/pdf-forms/SKILL.md", "user", lines.join("\n"));
}

test("name, description and tools are read from the front matter, and the rest is its text", async () => {
  const skill = await read(
    "---",
    "name: pdf",
    "description: >",
    "  Fill in forms.",
    "  Use it for PDF files.",
    "allowed-tools: Read, Bash(git add:*), Grep",
    "---",
    "",
    "# How",
  );
  expect(skill).toEqual({
    type: "skill",
    isHidden: false,
    body: "# How",
    skill: {
      name: "pdf",
      description: "Fill in forms. Use it for PDF files.",
      file: "/skills/pdf-forms/SKILL.md",
      from: "user",
      tools: { allow: ["Read", "Bash(git add:*)", "Grep"], deny: [] },
    },
  });
});

test.each([
  ["a colon in a description", "description: Use when: the user says so", "Use when: the user says so"],
  ["quotes", 'description: "Say \\"yes\\""', 'Say "yes"'],
  ["a byte order mark and Windows lines", "description: Plain\r", "Plain"],
  ["a hash", "description: Use C# here", "Use C# here"],
])("%s are read as people mean them", async (_, line, description) => {
  expect(await readSkill("/s/a/SKILL.md", "user", `\uFEFF---\r\n${line}\r\n---\r\nBody`)).toMatchObject({
    type: "skill",
    skill: { name: "a", description },
    body: "Body",
  });
});

test("tools are lists or words, nested or not, and a skill for its user alone is hidden from models", async () => {
  const nested = ["---", "description: d", "tools:", "  allow: [read_file]", "  deny: [run_command]", "---"];
  expect(await read(...nested)).toMatchObject({ skill: { tools: { allow: ["read_file"], deny: ["run_command"] } } });
  const list = ["---", "description: d", "allowed-tools:", "  - Read", "  - Bash(npm test)", "---"];
  expect(await read(...list)).toMatchObject({ skill: { tools: { allow: ["Read", "Bash(npm test)"] } } });
  expect(await read("---", "description: d", "disable-model-invocation: true", "---")).toMatchObject({
    isHidden: true,
  });
});

test.each([
  ["no front matter", ["Just text"], /no description/],
  ["no description", ["---", "name: a", "---"], /no description/],
  ["a name that is a path", ["---", "name: ../a", "description: d", "---"], /its name/],
  ["what is no YAML", ["---", "description: [open", "---"], /no YAML/],
  [
    "a bomb of aliases",
    ["---", "a: &a [x,x,x]", "b: &b [*a,*a,*a]", "c: &c [*b,*b,*b]", "d: [*c,*c,*c]", "description: d", "---"],
    /no YAML/,
  ],
])("%s is named as what is wrong", async (_, lines, problem) => {
  const wrong = await read(...lines);
  expect(wrong).toEqual({ type: "wrong", problem: expect.stringMatching(problem) });
});

test("a skill whose name is a title of several words has the name of its folder", async () => {
  const text = "---\nname: Advanced Database Features\ndescription: d\n---\nWords.";
  expect(await readSkill("/skills/database/SKILL.md", "user", text)).toMatchObject({
    type: "skill",
    skill: { name: "database", description: "d" },
  });
});
