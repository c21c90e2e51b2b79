/** One sentence for each mode, and what commands of a day may do by it: allowed, asked or refused, and what they change. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode, RuleVerdict } from "@capstan/protocol";
import { inTurn, sampled, slowTest } from "@capstan/testkit";
import { describe, expect, test } from "vitest";
import { type Place, usePlace } from "../stage/place.ts";
import { linesOf } from "../stage/read-output.ts";
import { changing, ordinary } from "./commands.ts";
import { workspaceState } from "./workspace-state.ts";

const place = usePlace();
/** Calls of one step; more than one batch is allowed to hold would end the turn. */
const callsOfAStep = 32;
const sample = { ordinary: sampled(ordinary, 4), changing: sampled(changing, 5) };
/** In further places: another folder around it changes the verdict on no single command. */
const few = { ordinary: everyFourth(ordinary), changing: everyFourth(changing) };

function everyFourth<Item>(items: readonly Item[]): readonly Item[] {
  return items.filter((_item, at) => at % 4 === 0);
}

interface Asked {
  readonly mode: PermissionMode;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** What the gatekeeper says to each call, and then, where nobody has to be asked, does. */
async function verdictsOn(
  calls: readonly object[],
  { mode, flags = [], env = {} }: Asked,
): Promise<readonly RuleVerdict[]> {
  const verdicts: RuleVerdict[] = [];
  for (let at = 0; at < calls.length; at += callsOfAStep) {
    const step = calls.slice(at, at + callsOfAStep).map((args) => ({ name: "run_command", arguments: args }));
    const stage = await place.rehearse("anthropic", [{ tool_calls: step }, { text: "done" }]);
    const words = ["--permission-mode", mode, "--strategy", "sequential", "--output-format", "stream-json", ...flags];
    const run = await stage.run([...words, "go"], { env });
    const decided = linesOf(run, "tool-decided");
    expect({ decided: decided.length, stderr: run.stderr }).toMatchObject({ decided: step.length });
    verdicts.push(...decided.map((line) => verdictIn(line)));
  }
  return verdicts;
}

function verdictIn(line: Readonly<Record<string, unknown>>): RuleVerdict {
  const verdict: unknown = Reflect.get(Object(line["judgement"]), "verdict");
  if (verdict === "allow" || verdict === "ask" || verdict === "deny") return verdict;
  throw new Error(`no verdict in ${JSON.stringify(line)}`);
}

function plain(commands: readonly string[]): readonly object[] {
  return commands.map((command) => ({ command }));
}

function declared(commands: readonly string[]): readonly object[] {
  return commands.map((command) => ({ command, writes: true }));
}

type Furnishing = (place: Place) => void;

const places: Readonly<Record<string, Furnishing>> = {
  "a repository": repository,
  "a fresh clone": clone,
  "a folder without git": (at) => {
    files(at);
  },
  "a repository that ignores everything": (at) => {
    files(at);
    at.write(".gitignore", "*\n");
    git(at, "init", "--quiet");
    git(at, "add", "--force", "src/add.js", ".gitignore");
    git(at, "commit", "--quiet", "-m", "first");
  },
};

describe.each(Object.entries(places))("in %s", (name, furnish) => {
  const tried = name === "a repository" ? sample : few;
  // The fast tier has the first place only; each further one is as slow as it.
  test.runIf(name === "a repository" || process.env["CAPSTAN_TEST_TIER"] === "slow")(
    "plan and default let every command run that asks for nothing, and nothing of the user's changes",
    async () => {
      furnish(place);
      const before = workspaceState(place.workspace);
      const calls = plain([...tried.ordinary, ...tried.changing]);
      for (const mode of sampled(["plan", "default"] as const, 1)) {
        const verdicts = await verdictsOn(calls, { mode });
        expect(new Set(verdicts)).toEqual(new Set(["allow"]));
        expect(workspaceState(place.workspace)).toEqual(before);
      }
      // The second time: what the first left behind opens nothing.
      await verdictsOn(plain(tried.changing), { mode: "default" });
      expect(workspaceState(place.workspace)).toEqual(before);
    },
  );

  test.runIf(name === "a repository" || process.env["CAPSTAN_TEST_TIER"] === "slow")(
    "default asks about every command that says it changes the workspace, and plan takes none",
    async () => {
      furnish(place);
      const before = workspaceState(place.workspace);
      const verdicts = await verdictsOn(declared(tried.changing), { mode: "default" });
      expect(new Set(verdicts)).toEqual(new Set(["ask"]));
      expect(workspaceState(place.workspace)).toEqual(before);
      const step = declared(tried.changing).slice(0, callsOfAStep);
      const turns = [{ tool_calls: step.map((args) => ({ name: "run_command", arguments: args })) }, { text: "so" }];
      const stage = await place.rehearse("anthropic", turns);
      const run = await stage.run(["--permission-mode", "plan", "--output-format", "stream-json", "go"]);
      expect(linesOf(run, "tool-started")).toEqual([]);
      expect(linesOf(run, "tool-finished").map(({ outcome }) => Reflect.get(Object(outcome), "type"))).toEqual(
        step.map(() => "rejected"),
      );
      expect(workspaceState(place.workspace)).toEqual(before);
    },
  );

  slowTest.for(["accept-edits", "auto"] as const)(
    "%s asks about none of them, and nothing beside the workspace changes",
    async (mode) => {
      furnish(place);
      const before = readdirSync(place.folder);
      const calls = [...plain(tried.ordinary), ...declared(tried.changing)];
      expect(new Set(await verdictsOn(calls, { mode }))).toEqual(new Set(["allow"]));
      expect(readdirSync(place.folder)).toEqual(expect.arrayContaining(before));
      expect(readdirSync(place.folder)).not.toContain("w");
    },
  );
});

slowTest.each(["accept-edits", "auto"] as const)(
  "%s lets commands change the workspace, declared or not",
  async (mode) => {
    repository(place);
    const before = workspaceState(place.workspace);
    const calls = [
      ...plain(sample.ordinary),
      { command: "echo more > made.txt" },
      ...declared(sample.changing.slice(0, 2)),
    ];
    expect(new Set(await verdictsOn(calls, { mode }))).toEqual(new Set(["allow"]));
    expect(workspaceState(place.workspace)).not.toEqual(before);
  },
);

describe.each(inTurn(Object.entries(places), "without a sandbox"))("without a sandbox, in %s", (_name, furnish) => {
  test.each(inTurn(["plan", "default", "accept-edits", "auto"] as const, "nobody to ask"))(
    "%s refuses every command where nobody can be asked, and nothing changes",
    async (mode) => {
      furnish(place);
      const before = workspaceState(place.workspace);
      const calls = plain([...sample.ordinary, ...sample.changing]);
      const verdicts = await verdictsOn(calls, { mode, env: pathWithout() });
      expect(new Set(verdicts)).toEqual(new Set(["deny"]));
      expect(workspaceState(place.workspace)).toEqual(before);
    },
  );

  // Where the user switched it off, `auto` lets run what is understood.
  const asking = [
    ...(["default", "accept-edits", "auto"] as const).map((mode) => ({ mode, why: "there is none", env: pathWithout })),
    ...(["default", "accept-edits"] as const).map((mode) => ({ mode, why: "it is off", flags: ["--sandbox", "off"] })),
  ];
  slowTest.each(asking)(
    "$mode asks about every command that is not certain to only read, where somebody can be asked: $why",
    async ({ mode, ...way }) => {
      furnish(place);
      const before = workspaceState(place.workspace);
      const [env, flags] = "env" in way ? [way.env(), []] : [{}, way.flags];
      const asked = { mode, env, flags: [...flags, "--on-ask", "park"] };
      expect(new Set(await verdictsOn(plain(sample.changing), asked))).toEqual(new Set(["ask"]));
      expect(workspaceState(place.workspace)).toEqual(before);
      expect(await verdictsOn(plain(sample.ordinary), asked)).not.toContain("deny");
    },
  );
});

test("a build folder is built into, and what is beside it is not; the model is informed how to ask", async () => {
  repository(place);
  const stage = await place.rehearse("anthropic", [
    {
      tool_calls: [{ name: "run_command", arguments: { command: "echo built > dist/out.js && echo no > src/out.js" } }],
    },
    { text: "so" },
  ]);
  await stage.run(["go"]);
  expect(place.read("dist/out.js")).toBe("built\n");
  expect(place.has("src/out.js")).toBe(false);
  expect(JSON.stringify(stage.exchanges[1]?.body)).toContain(
    "The workspace is read-only in mode default. Call again with writes: true.",
  );
});

/** A search path with what a run needs, and no bubblewrap. */
function pathWithout(): Readonly<Record<string, string>> {
  const folder = join(place.folder, "programs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  symlinkSync(process.execPath, join(folder, "node"));
  for (const name of ["git", "sh", "bash"]) {
    symlinkSync(execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(folder, name));
  }
  return { PATH: folder };
}

function files(at: Place): void {
  at.write("src/add.js", "export const add = (a, b) => a + b;\n");
  at.write("src/run.sh", "echo ran\n");
  at.write("change.patch", "--- src/add.js\n+++ src/add.js\n@@ -1 +1 @@\n-export const add = (a, b) => a + b;\n+x\n");
  at.write("node_modules/a/index.js", "1\n");
  at.write("dist/add.js", "1\n");
  at.write(".eslintcache", "1\n");
  mkdirSync(join(at.workspace, "empty"));
}

function repository(at: Place): void {
  files(at);
  at.write(".gitignore", "node_modules\ndist\n.eslintcache\nbuild\n");
  git(at, "init", "--quiet");
  git(at, "add", "-A");
  git(at, "commit", "--quiet", "-m", "first");
}

/** As a colleague gets it: nothing was built, and nothing that is ignored is there. */
function clone(at: Place): void {
  repository(at);
  const origin = join(at.folder, "origin");
  cpSync(at.workspace, origin, { recursive: true });
  rmSync(at.workspace, { recursive: true });
  execFileSync("git", ["clone", "--quiet", origin, at.workspace]);
}

function git(at: Place, ...words: readonly string[]): void {
  const identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  execFileSync("git", [...identity, ...words], { cwd: at.workspace });
}
