/** Each example, as a user has it: compiled against the packed tarball with strict types, and run. And what checkers of packages say of it. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compiler, installInto, type PackedPackage, packPackage, rehearseIn, setupLimitMs } from "./packed-package.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);
let packed: PackedPackage;
let project: string;

beforeAll(async () => {
  packed = await packPackage();
  project = join(packed.folder, "project");
  cpSync(join(root, "examples"), project, {
    recursive: true,
    filter: (path) => !path.startsWith(join(root, "examples", "first-task")) && !path.endsWith("/test"),
  });
  await installInto(project, packed.tarball);
}, setupLimitMs);
afterAll(() => packed.remove());

test("every example compiles against the package, with strict types", async () => {
  const types = ["--typeRoots", join(root, "node_modules", "@types")];
  const { stdout } = await run(process.execPath, [compiler, "-p", "tsconfig.examples.json", ...types], {
    cwd: project,
  });
  expect(stdout).toBe("");
}, 120_000);

interface Example {
  readonly name: string;
  /** Words of what it prints. */
  readonly says: readonly string[];
  /** Files of the example that lie in the data directory. */
  readonly home?: Readonly<Record<string, string>>;
}

const examples: readonly Example[] = [
  {
    name: "custom-tool",
    says: ['Calls count_stock with {"article":"apples"}', "It ended: done", "It ended: failed", "There are 12 apples."],
  },
  {
    name: "bot",
    says: [
      "ada wrote: I am ada.",
      "The bot wrote: Good day, Ada.",
      "ada was refused: this user sends more messages than the 1 a minute",
      "mallory may not use this engine",
    ],
  },
  { name: "hook", says: ["After ", "One says hello, the other is private."] },
  { name: "compactor", says: ["type: 'accepted'", "Of the sea, the hills and the rain.", "1 summary"] },
  {
    name: "agent",
    says: ["spawn_agent: ", "The reviewer misses a date."],
    home: { "reviewer.md": "agents/reviewer.md" },
  },
];

test.each(examples)("the example $name does what it says, twice", async ({ name, says, home = {} }) => {
  const data = join(packed.folder, `${name}-home`);
  const workspace = join(packed.folder, `${name}-work`);
  mkdirSync(join(workspace, "private"), { recursive: true });
  for (const folder of ["", "private"]) writeFileSync(join(workspace, folder, "letter.txt"), "hello\n");
  for (const [file, place] of Object.entries(home))
    cpSync(join(project, name, file), join(data, place), { recursive: true });
  for (let time = 0; time < 2; time += 1) {
    const server = await rehearseIn(project, join(project, name, "scenario.json"));
    try {
      const env = {
        PATH: process.env["PATH"],
        HOME: join(packed.folder, "user"),
        CAPSTAN_HOME: data,
        CAPSTAN_MODEL: "anthropic/rehearsal",
        ANTHROPIC_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "rehearsal",
      };
      const { stdout, stderr } = await run(process.execPath, [join(project, name, `${name}.js`)], {
        cwd: workspace,
        env,
      });
      expect(stderr).toBe("");
      expect(says.filter((words) => stdout.includes(words))).toEqual(says);
    } finally {
      await server.close();
    }
  }
});

test("the example of a provider lets a model of its own wire change a file", async () => {
  const { stdout } = await run(process.execPath, [join(project, "custom-provider", "run.js")], { cwd: packed.folder });
  expect(stdout).toContain("→ Read greeting.txt (allow)");
  expect(stdout).toContain("done after 3 requests; the file says: Hello, line talk.");
});

test("the example of a plugin is found by the installed program, and its tool is there", async () => {
  const data = join(packed.folder, "plugin-home");
  mkdirSync(join(packed.folder, "user", "work"), { recursive: true });
  cpSync(join(root, "examples", "plugin"), join(data, "plugins", "word-count"), { recursive: true });
  const capstan = join(project, "node_modules", ".bin", "capstan");
  const env = { PATH: process.env["PATH"], HOME: join(packed.folder, "user"), CAPSTAN_HOME: data };
  for (let time = 0; time < 2; time += 1) {
    const { stdout } = await run(capstan, ["plugins", "show", "word-count"], {
      cwd: join(packed.folder, "user", "work"),
      env,
    });
    expect(stdout).toContain("count_words");
  }
});

/** Checkers of packages, pinned: a test must not change by itself. */
const checkers: readonly string[] = ["publint@0.3.25", "@arethetypeswrong/cli@0.18.5"];

test("publint and arethetypeswrong find nothing wrong with what is packed", async () => {
  const place = join(packed.folder, "checkers");
  await installInto(place, ...checkers);
  const program = (name: string): string => join(place, "node_modules", ".bin", name);
  const { stdout } = await run(program("publint"), ["run", packed.tarball, "--strict"], { cwd: place });
  expect(stdout).toContain("All good!");
  // There is one entry, a module: programs that are CommonJS reach it by `import()`.
  const flags = ["--profile", "esm-only", "--no-color"];
  const { stdout: table } = await run(program("attw"), [packed.tarball, ...flags], { cwd: place });
  expect(table).toMatch(/node16 \(from ESM\).*🟢/);
  expect(table).toMatch(/bundler.*🟢/);
});
