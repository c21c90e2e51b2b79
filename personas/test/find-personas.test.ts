/** Personas are found where users and trusted workspaces keep them. */
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPersonas, type FoundPersonas } from "../src/index.ts";

const builtIn = [
  "base",
  "code-reviewer",
  "documentation",
  "python-senior",
  "rust-expert",
  "security-analyst",
  "typescript-expert",
];
let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-personas-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): readonly [string, string] {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return [file, createHash("sha256").update(text).digest("hex")];
}

function markdown(name: string, more = ""): string {
  return `---\nname: ${name}\ndescription: As ${name} works\n${more}---\nYou are ${name}.\n`;
}

async function find(approved: readonly (readonly [string, string])[] = []): Promise<FoundPersonas> {
  const trust = { trusted: approved.length > 0, approved: new Map(approved) };
  return await findPersonas({ home: join(folder, "data"), trust });
}

async function names(approved: readonly (readonly [string, string])[] = []): Promise<readonly string[]> {
  return (await find(approved)).personas.map(({ name }) => name);
}

test("everybody has the seven built-in personas, each with a text of its own", async () => {
  const { personas, notices } = await find();
  expect(personas.map(({ name }) => name)).toEqual(builtIn);
  expect(new Set(personas.map(({ prompt }) => prompt)).size).toBe(builtIn.length);
  expect(notices).toEqual([]);
});

test("a user's own personas are read from Markdown and TOML, and take the place of a built-in one of their name", async () => {
  write(
    "data/personas/tidy.md",
    markdown(
      "tidy",
      "priority: 3\nextends: [base]\nidentity: {traits: {verbosity: 0.1}, lenses: [cost], deliverables: {risks: true, checklist: false}}\ntool_permissions:\n  disable: shell\n",
    ),
  );
  write(
    "data/personas/base.toml",
    'description = "Ours"\nsystem_prompt = "Be ours."\nextends = []\n[tool_permissions]\nenable = ["file_read"]\n',
  );
  const { personas, notices } = await find();
  expect(notices).toEqual([]);
  expect(personas.map(({ name }) => name)).toEqual([...builtIn, "tidy"].toSorted());
  expect(personas.find(({ name }) => name === "tidy")).toMatchObject({
    from: "user",
    version: "1.0.0",
    priority: 3,
    extends: ["base"],
    prompt: "You are tidy.",
    tools: null,
    withoutTools: ["shell"],
    identity: { traits: { verbosity: 0.1 }, lenses: ["cost"], deliverables: ["risks"] },
  });
  expect(personas.find(({ name }) => name === "base")).toMatchObject({
    from: "user",
    prompt: "Be ours.",
    tools: ["file_read"],
  });
});

test("a workspace's personas count where it is trusted, while they are as they were, and never in place of Capstan's", async () => {
  const house = write("work/.capstan/personas/house.md", markdown("house"));
  const base = write("work/.capstan/personas/base.md", markdown("base"));
  expect(await names()).toEqual(builtIn);
  const trusted = await find([house, base]);
  expect(trusted.personas.find(({ name }) => name === "house")?.from).toBe("workspace");
  expect(trusted.personas.find(({ name }) => name === "base")?.from).toBe("built-in");
  expect(trusted.notices).toMatchObject([{ code: "persona.unreadable", text: expect.stringContaining("base.md") }]);
  write("work/.capstan/personas/house.md", markdown("house", "priority: 1\n"));
  expect(await names([house, base])).toEqual(builtIn);
});

test.each<[string, string, string]>([
  ["no description", "---\nname: odd\n---\nOdd.\n", "no description"],
  ["a name with a path", markdown("../odd"), "its name"],
  ["a priority in words", markdown("odd", "priority: high\n"), "priority takes a whole number"],
  [
    "commands that it would forbid",
    markdown("odd", "tool_permissions: {blocked_commands: [rm]}\n"),
    "permissions.deny",
  ],
  ["a trait that nobody knows", markdown("odd", "identity: {traits: {charm: 1}}\n"), 'no trait "charm"'],
  ["a trait beyond its bounds", markdown("odd", "identity: {traits: {verbosity: 2}}\n"), "a number from 0 to 1"],
  ["a deliverable in words", markdown("odd", "identity: {deliverables: {risks: some}}\n"), "takes true or false"],
  ["a list where a table belongs", markdown("odd", "tool_permissions: [rm]\n"), "tool_permissions takes"],
])("a file with %s is left out, and its user reads why", async (_, text, problem) => {
  write("data/personas/odd.md", text);
  const { personas, notices } = await find();
  expect(personas.map(({ name }) => name)).toEqual(builtIn);
  expect(notices).toMatchObject([{ level: "warning", text: expect.stringContaining(problem) }]);
});

test("what counts for nothing here is named, each time, and the rest of the persona counts", async () => {
  const more =
    "model: {preferred_model: other}\ntool_permissions: {require_shell_confirmation: true, disable: [write_file]}\n";
  write("data/personas/careful.md", markdown("careful", more));
  for (const _ of [1, 2]) {
    const { personas, notices } = await find();
    expect(personas.find(({ name }) => name === "careful")).toMatchObject({ withoutTools: ["write_file"] });
    expect(notices).toMatchObject([
      {
        code: "persona.partly-read",
        text: expect.stringContaining("without model, tool_permissions.require_shell_confirmation:"),
      },
    ]);
  }
});
