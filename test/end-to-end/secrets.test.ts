import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { usePlace } from "./stage/place.ts";
import type { Run } from "./stage/run-capstan.ts";
import { resultsOf } from "./stage/read-request.ts";

const place = usePlace();

const canary = "canary-8f2b6c1d9e7a4035-do-not-tell";
const streamJson = ["--output-format", "stream-json"];

overWires("over %s", (wire, test, slowTest) => {
  const keyed = { env: { [wire === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"]: canary } };

  test("a key that tools, commands and the vendor repeat is in no output and no file", async () => {
    place.write("leak.txt", `key=${canary}\n`);
    const calls = [
      { name: "read_file", arguments: { path: "leak.txt" } },
      { name: "search", arguments: { pattern: "key=" } },
      { name: "run_command", arguments: { argv: ["cat", "leak.txt"] } },
      { name: "run_command", arguments: { command: "cat leak.txt >&2; exit 3" } },
      { name: "run_command", arguments: { command: "head -c 12 leak.txt; sleep 0.05; tail -c +13 leak.txt" } },
    ];
    const stage = await place.rehearse(wire, [
      { tool_calls: calls },
      { text: "There is a key.", fault: { type: "http", status: 500, message: `bad key ${canary}` } },
    ]);
    const run = await stage.run([...streamJson, "--yolo", "look around"], keyed);
    expect(run.code).toBe(0);
    const results = resultsOf(stage.exchanges.at(-1));
    expect(results).toHaveLength(calls.length);
    expect(results.filter((result) => result.text.includes(canary))).toEqual([]);
    expect(results[0]?.text).toContain("key=***");
    expect(placesOf(run)).toEqual([]);
  });

  slowTest("an error of the vendor that repeats the key does not pass it on", async () => {
    const fault = { type: "http", status: 401, times: 9, message: `invalid x-api-key: ${canary}` };
    const stage = await place.rehearse(wire, [{ text: "hi", fault }]);
    const runs = [await stage.run([...streamJson, "go"], keyed), await stage.run(["go"], keyed)];
    expect(runs.map((run) => run.code)).toEqual([5, 5]);
    expect(runs.flatMap((run) => placesOf(run))).toEqual([]);
  });

  slowTest("output too long for the model is kept in a file without the key", async () => {
    place.write("leak.txt", `${"x".repeat(60)}\n`.repeat(3000) + `${canary}\n` + `${"y".repeat(60)}\n`.repeat(3000));
    const stage = await place.rehearse(wire, [
      { tool_calls: [{ name: "run_command", arguments: { argv: ["cat", "leak.txt"] } }] },
      { text: "long" },
    ]);
    const run = await stage.run([...streamJson, "--yolo", "go"], keyed);
    expect(run.code).toBe(0);
    expect(placesOf(run)).toEqual([]);
  });
});

test("commands see neither the vendor's key nor other secrets of the environment", async () => {
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [{ name: "run_command", arguments: { argv: ["env"] } }] },
    { text: "seen" },
  ]);
  const env = { FOO_TOKEN: canary, AWS_SECRET_ACCESS_KEY: canary, DATABASE_PASSWORD: canary, LC_ALL: "C.UTF-8" };
  await stage.run(["--yolo", "go"], { env });
  const [result] = resultsOf(stage.exchanges[1]);
  expect(result?.text).toContain("LC_ALL=C.UTF-8");
  expect(result?.text).not.toMatch(/TOKEN|SECRET|PASSWORD|API_KEY|canary/);
});

slowTest("config show and explain mask keys", async () => {
  place.write(
    "config.toml",
    `[api_keys]\nanthropic = "${canary}"\n[providers.mine]\nwire = "openai-chat"\nbase_url = "http://user:${canary}@127.0.0.1:1/v1"\napi_key = "${canary}"\n`,
  );
  const runs = await Promise.all(
    [["show"], ["show", "--json"], ["explain", "api_keys.anthropic"]].map((args) =>
      place.run(["config", ...args, "--config", join(place.workspace, "config.toml")]),
    ),
  );
  expect(runs.map((run) => run.code)).toEqual([0, 0, 0]);
  expect(runs.filter((run) => (run.stdout + run.stderr).includes(canary))).toEqual([]);
});

/** Where the canary is found: the outputs, and every file of the data directory. */
function placesOf(run: Run): readonly string[] {
  const files = readdirSync(place.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [
    ...(run.stdout.includes(canary) ? ["stdout"] : []),
    ...(run.stderr.includes(canary) ? ["stderr"] : []),
    ...files.filter((file) => readFileSync(file).includes(canary)),
  ];
}
