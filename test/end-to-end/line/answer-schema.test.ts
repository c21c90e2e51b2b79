import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "../stage/over-wires.ts";
import { usePlace } from "../stage/place.ts";
import { linesOf, parseResult } from "../stage/read-output.ts";
import { lastUserText } from "../stage/read-request.ts";

const place = usePlace();

const json = ["--output-format", "json"];
const schema = {
  type: "object",
  properties: { count: { type: "integer" }, names: { type: "array", items: { type: "string" } } },
  required: ["count"],
  additionalProperties: false,
};
const wanted = ["--json-schema", "schema.json"];
const right = JSON.stringify({ count: 2, names: ["a", "b"] });

function writeSchema(): void {
  place.write("schema.json", JSON.stringify(schema));
}

overWires("over %s", (wire, test) => {
  test("an answer that does not fit is asked for again, and its value is in the result", async () => {
    writeSchema();
    const stage = await place.rehearse(wire, [
      { text: "There are two." },
      { text: '{"count":"two"}' },
      { text: `\`\`\`json\n${right}\n\`\`\`` },
    ]);
    const run = await stage.run([...json, ...wanted, "-o", "last.json", "count them"]);
    expect(parseResult(run)).toMatchObject({
      outcome: "done",
      exitCode: 0,
      text: right,
      structuredOutput: { count: 2, names: ["a", "b"] },
      modelCalls: 3,
    });
    expect(place.read("last.json")).toBe(right);
    expect(run.stderr).toContain('/count: Instance type "string" is invalid. Expected "integer"');
    const asked = stage.exchanges.map((exchange) => [exchange.problem, JSON.stringify(exchange.body)]);
    expect(asked).toEqual(asked.map(() => [undefined, expect.stringContaining("fits this JSON Schema")]));
    expect(stage.exchanges.map(lastUserText)).toEqual([
      expect.stringContaining('"required":["count"]'),
      expect.stringContaining("it is not JSON"),
      expect.stringContaining('/count: Instance type "string" is invalid'),
    ]);
  });
});

test("what asks again is no turn of its own in lists, and goes back with the turn whose answer it asks for, the second time too", async () => {
  writeSchema();
  const stage = await place.rehearse("anthropic", [
    { text: "not yet" },
    { text: "nor now" },
    { text: right },
    { text: "first again" },
    { text: right },
    { text: "in words" },
  ]);
  const id = ["--resume", "counted"];
  const turns = async (): Promise<unknown> =>
    JSON.parse((await place.run(["sessions", "list", "--json"])).lines[0] ?? "null").turns;
  const headings = async (): Promise<readonly string[]> =>
    (await place.run(["sessions", "show", "counted"])).lines.filter((line) => /^(?:Turn|Asked)/.test(line));
  await stage.run([...json, ...wanted, "--session-id", "counted", "count them"]);
  expect(await turns()).toBe(1);
  await stage.run([...json, ...wanted, ...id, "count again"]);
  expect(await turns()).toBe(2);
  await stage.run([...id, "say it in words"]);
  const again = "Asked again, as part of the turn before:";
  expect(await headings()).toEqual(["Turn 1:", again, again, "Turn 2:", again, "Turn 3:"]);
  await place.run(["sessions", "rewind", "counted", "--to", "1"]);
  const { stdout } = await place.run(["sessions", "export", "counted", "--format", "markdown"]);
  expect(stdout).toContain("nor now");
  await place.run(["undo", "counted"]);
  expect((await place.run(["undo", "counted"])).stderr).toMatch(/nothing|no turn/i);
});

slowTest(
  "after two more turns it is an error with a code of its own, and the next run in the session starts afresh",
  async () => {
    writeSchema();
    const stage = await place.rehearse("anthropic", [
      ...["one", "two", "three", "four"].map((text) => ({ text })),
      { text: right },
      { text: "in words" },
    ]);
    const failed = await stage.run([...json, ...wanted, "count them"]);
    const result = parseResult(failed);
    expect([failed.code, stage.exchanges.length, result["structuredOutput"]]).toEqual([1, 3, undefined]);
    expect(result).toMatchObject({
      outcome: "error",
      text: "three",
      error: { code: "answer.schema", message: expect.stringContaining("it is not JSON") },
    });
    const again = await stage.run([
      "-c",
      "--output-schema",
      JSON.stringify(schema),
      "--output-format",
      "stream-json",
      "again",
    ]);
    expect(parseResult(again)).toMatchObject({ exitCode: 0, structuredOutput: { count: 2 }, modelCalls: 2 });
    expect(linesOf(again, "turn-ended").map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    const free = await stage.run([...json, "-c", "tell me"]);
    expect(parseResult(free)).toMatchObject({ exitCode: 0, text: "in words" });
    expect(parseResult(free)).not.toHaveProperty("structuredOutput");
  },
);

test("as text the answer on stdout is the JSON alone, and a failed one says why and what to do", async () => {
  writeSchema();
  const stage = await place.rehearse("anthropic", [
    { text: `\`\`\`\n${right}\n\`\`\`` },
    ...["a", "b", "c"].map((text) => ({ text })),
  ]);
  expect((await stage.run([...wanted, "count them"])).stdout).toBe(`${right}\n`);
  const failed = await stage.run([...wanted, "count them"]);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/asked for again: it is not JSON/);
  expect(failed.stderr).toMatch(/error: the answer does not fit the schema: it is not JSON[^]*Make the schema simpler/);
});

slowTest("after a kill the schema counts where it is given again, and where it is not the answer is free", async () => {
  writeSchema();
  for (const [again, expected] of [
    [wanted, { exitCode: 0, structuredOutput: { count: 2 } }],
    [[], { exitCode: 0, text: expect.stringMatching(/^word word/), modelCalls: 1 }],
  ] as const) {
    const stage = await place.rehearse("anthropic", [
      { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } },
      { text: right },
    ]);
    const running = stage.start(["--output-format", "stream-json", ...wanted, "count them"]);
    await running.stdoutMatches(/"text-delta"/);
    running.kill("SIGKILL");
    await running.ended;
    expect(parseResult(await stage.run([...json, ...again, "--continue"]))).toMatchObject(expected);
  }
});

slowTest(
  "Ctrl-C while it is asked for again ends the run, and hands nothing back that the user did not say",
  async () => {
    writeSchema();
    const stage = await place.rehearse("anthropic", [
      { text: "There are two." },
      { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } },
    ]);
    const running = stage.start(["--output-format", "stream-json", ...wanted, "count them"]);
    await running.stdoutMatches(/"turn-started"[^]*"turn-ended"[^]*"turn-started"[^]*"text-delta"/);
    running.kill("SIGINT");
    const run = await running.ended;
    expect(run.code).toBe(130);
    expect(parseResult(run)).toMatchObject({ outcome: "interrupted" });
    expect(parseResult(run)).not.toHaveProperty("draft");
  },
);

slowTest("a schema that is none is a usage error in one line, and nothing is begun", async () => {
  place.write("list.json", "[1]");
  place.write("cut.json", '{"type":');
  place.write("typo.json", '{"type":"object","properties":{"a":{"type":"strin"}}}');
  place.write("lost.json", '{"properties":{"a":{"$ref":"#/$defs/gone"}}}');
  const stage = await place.rehearse("anthropic", [{ text: "never asked" }]);
  for (const [given, says] of [
    ["gone.json", "the schema gone.json cannot be read"],
    ["list.json", "list.json is no JSON Schema: it must be an object"],
    ["cut.json", "cut.json is not JSON"],
    ["typo.json", "typo.json is no JSON Schema: /properties/a/type: Instance does not match any of"],
    ["lost.json", 'lost.json is no JSON Schema: "$ref": "#/$defs/gone" leads nowhere'],
    ['{"$ref":"#"}', "refers to itself without an end"],
  ] as const) {
    const run = await stage.run(["--json-schema", given, "count them"]);
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(says);
    expect(run.stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/\[usage\.invalid\]$/),
      "  Try: capstan run --help",
    ]);
  }
  // The flag that is named is one that was given.
  const other = await stage.run(["--output-schema", "{bad", "count them"]);
  expect([other.code, other.stderr]).toEqual([2, expect.not.stringContaining("--json-schema")]);
  const both = await stage.run(["--json-schema", "{}", "--output-schema", "{}", "count them"]);
  expect([both.code, both.stderr.split("\n")[0]]).toEqual([
    2,
    "capstan: --json-schema and --output-schema mean the same, and exclude each other [usage.invalid]",
  ]);
  expect(stage.exchanges).toEqual([]);
});
