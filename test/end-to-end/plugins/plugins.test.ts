import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();

const json = ["--output-format", "json"];

/** `probe` tries to write, to read the user's own files and to see the environment; `leave` ends its process. */
const plugin = `
import { readFileSync, writeFileSync } from "node:fs";
const tried = (what) => { try { what(); return "could"; } catch (error) { return error.code; } };
export default {
  name: "probe",
  version: "1.0.0",
  initialize({ registerTool, workspace }) {
    const common = { effect: "read", inputSchema: { type: "object", properties: { file: { type: "string" } } } };
    registerTool({ ...common, name: "probe", description: "Tries what it can do", execute: (args) => [
      "write " + tried(() => writeFileSync(workspace.cwd + "/made.txt", "x")),
      "read " + tried(() => readFileSync(args.file)),
      "see " + Object.keys(process.env).filter((name) => name.includes("KEY")).join(),
    ].join(", ") });
    registerTool({ ...common, name: "leave", description: "Leaves", execute: () => process.exit(3) });
  },
};
`;

const probe = { name: "probe", arguments: { file: "" } };

function withPlugin(folder: string): void {
  place.write(join(folder, "probe.plugin.js"), plugin);
}

test("a plugin's tool is offered and asks, whatever it says of itself; allowed, it runs in the sandbox, in this process and the next", async () => {
  withPlugin("../data/plugins");
  place.write("../data/secret.txt", "mine");
  const call = { ...probe, arguments: { file: join(place.data, "secret.txt") } };
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [call] },
    { text: "denied" },
    { tool_calls: [call] },
    { text: "done" },
  ]);
  const denied = await stage.run([...json, "go"]);
  expect(denied.code).toBe(3);
  expect(JSON.stringify(stage.exchanges[0]?.body)).toContain("Tries what it can do");
  const run = await stage.run([...json, "--allow", "probe", "--continue", "go"]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "done" });
  expect(resultsOf(stage.exchanges[3]).at(-1)?.text).toMatch(/^write E(?:ROFS|ACCES|PERM), read ENOENT, see $/);
  expect(place.has("made.txt")).toBe(false);
  expect(processesOf()).toEqual([]);
});

slowTest("a plugin that leaves in the middle of a call fails it, is named, and the turn continues", async () => {
  withPlugin("../data/plugins");
  const stage = await place.rehearse("openai-responses", [
    { tool_calls: [{ name: "leave", arguments: {} }] },
    { tool_calls: [probe] },
    { text: "I continue without it" },
  ]);
  const run = await stage.run([...json, "--allow", "probe", "--allow", "leave", "go"]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "I continue without it" });
  expect(resultsOf(stage.exchanges[1]).at(-1)?.text).toContain("ended with exit code 3");
  expect(resultsOf(stage.exchanges[2]).at(-1)?.text).toMatch(/probe/);
});

slowTest("list starts nothing, show starts one and lists its tools; off and on again, in any process", async () => {
  withPlugin("../data/plugins");
  const list = async (): Promise<string> => (await place.run(["plugins"])).stdout;
  expect(await list()).toMatch(/^probe {2}in the sandbox {2}/);
  const shown = await place.run(["plugins", "show", "probe"]);
  expect(shown.stdout).toMatch(
    /^probe 1\.0\.0\n.*\nRuns: in the sandbox.*\nTool probe \(execute\): Tries[^]*\nLoaded in \d+ ms/,
  );
  expect((await place.run(["plugins", "disable", "probe"])).code).toBe(0);
  expect(await list()).toContain("not used: it is off; to use it: capstan plugins enable probe");
  const off = await place.run(["plugins", "show", "probe"]);
  expect({ code: off.code, named: off.stderr.includes("it is off") }).toEqual({ code: 2, named: true });
  await place.run(["plugins", "enable", "probe"]);
  place.write("../data/plugins/probe.plugin.js", `${plugin}// changed`);
  expect(await list()).toContain("probe.plugin.js (changed)");
  expect((await place.run(["plugins", "enable", "probe"])).stdout).toBe(
    "probe is used as it is now: probe.plugin.js (changed).\n",
  );
  expect(await list()).toMatch(/^probe {2}in the sandbox {2}/);
  const wrong = await place.run(["plugins", "show", "prob"]);
  expect({ code: wrong.code, hint: wrong.stderr.includes('there is no plugin "prob"') }).toEqual({
    code: 2,
    hint: true,
  });
});

slowTest("a folder's plugin counts once the folder is trusted, and in safe mode none does", async () => {
  withPlugin(".capstan/plugins");
  const untrusted = await place.run(["plugins"]);
  expect(untrusted.stderr).toContain(
    "This folder brings plugins along; they count once you trust it: capstan trust add",
  );
  await place.trust();
  expect((await place.run(["plugins"])).stdout).toMatch(/^probe \(this folder\) {2}in the sandbox/);
  const stage = await place.rehearse("google", [{ text: "one" }, { text: "two" }]);
  await stage.run([...json, "go"]);
  await stage.run([...json, "--safe-mode", "go"]);
  const offered = stage.exchanges.map(({ body }) => JSON.stringify(body).includes("Tries what it can do"));
  expect(offered).toEqual([true, false]);
});

slowTest(
  "a plugin that is data runs in the sandbox, twice: its script reads the workspace and changes nothing",
  async () => {
    place.write("letter.txt", "one\ntwo\n");
    place.write(
      "../data/plugins/house.plugin.yaml",
      `tools:
  lines:
    description: Counts lines
    parameters: { path: { type: string } }
    command: wc -l < "$ARG_path"; (echo x > made.txt) 2> /dev/null || echo kept
  double: { description: Doubles, parameters: { number: { type: number } }, code: return args.number * 2 }
`,
    );
    const calls = [
      { name: "lines", arguments: { path: "letter.txt" } },
      { name: "double", arguments: { number: 21 } },
    ];
    const turn = [{ tool_calls: calls }, { text: "done" }];
    const stage = await place.rehearse("anthropic", [...turn, ...turn]);
    for (const words of ["go", "again"]) {
      const run = await stage.run([...json, "--allow", "lines", "--allow", "double", words]);
      expect(parseResult(run)).toMatchObject({ outcome: "done" });
    }
    for (const exchange of [stage.exchanges[1], stage.exchanges[3]])
      expect(resultsOf(exchange).map(({ text }) => text.trim())).toEqual(["2\nkept", "42"]);
    expect(place.has("made.txt")).toBe(false);
  },
);

/** Processes that still run a plugin's script in this workspace. */
function processesOf(): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const runs = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("registerService");
      return runs && readlinkSync(`/proc/${pid}/cwd`) === place.workspace;
    } catch {
      return false;
    }
  });
}
