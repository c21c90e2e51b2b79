import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { parseLines, parseResult } from "../stage/read-output.ts";

const place = usePlace();

const json = ["--output-format", "json"];
const fast = ["--set", "retry.base_delay_ms=1"];

test("a session has the name it was given, and is found by it, the second time too", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }, { text: "three" }]);
  const first = parseResult(await stage.run([...json, "-n", "parser work", "begin"]));
  const again = parseResult(await stage.run([...json, "--resume", "parser work", "more"]));
  expect(again["sessionId"]).toBe(first["sessionId"]);
  expect((await place.run(["sessions", "rename", "parser work", "the parser"])).code).toBe(0);
  const third = parseResult(await place.run(["resume", "the parser", ...json, "--prompt", "end"], { env: stage.env }));
  expect(third).toMatchObject({ sessionId: first["sessionId"], text: "three" });
  expect(parseLines(await place.run(["sessions", "list", "--json"]))).toMatchObject([
    { title: "the parser", turns: 3 },
  ]);
  expect((await place.run(["sessions", "list"])).stdout).toMatch(/^the parser {2}\w{26} {2}.* ago|just now/);
  expect(await stage.run(["-c", "-n", "other", "x"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Try: "),
  });
});

slowTest("a nickname runs the newest of that family, says which, and is asked for by its id", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  for (const name of ["opus", "claude/opus"]) {
    const run = await place.run(["-p", "hi", "-m", name, ...fast], { env: stage.env });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/the model \S+ is anthropic\/claude-opus-\d/) });
  }
  const asked = stage.exchanges.map(({ body }) => JSON.stringify(body));
  expect(asked).toEqual(asked.map(() => expect.stringMatching(/"model":"claude-opus-\d/)));
  const unknown = await place.run(["-p", "hi", "-m", "opsu"], { env: stage.env });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean opus?") });
});

slowTest("only the tools that were asked for are offered, and rules come in the forms of other agents", async () => {
  const call = { name: "run_command", arguments: { argv: ["touch", "out.txt"], writes: true } };
  const stage = await place.rehearse("anthropic", [
    { text: "one" },
    { text: "two" },
    { tool_calls: [call] },
    { text: "3" },
  ]);
  const offered = (at: number): readonly string[] =>
    [...JSON.stringify(stage.exchanges[at]?.body).matchAll(/"name":"(\w+)","description"/g)].map(
      ([, name]) => name ?? "",
    );
  await stage.run(["--tools", "Read,Grep", "go"]);
  expect(offered(0).toSorted()).toEqual(["read_file", "search"]);
  await stage.run(["--disable-tools", "Bash", "--effort", "high", "go"]);
  expect(offered(1)).not.toContain("run_command");
  expect(offered(1)).toContain("read_file");
  expect(JSON.stringify(stage.exchanges[1]?.body)).toContain('"effort":"high"');
  const free = ["--set", "sandbox.mode=off", "--permission-mode", "acceptEdits"];
  const run = await stage.run([...free, "--allowedTools", "Bash(touch:*)", "Read", "make", "it"]);
  expect([run.code, place.has("out.txt")]).toEqual([0, true]);
  expect(JSON.stringify(stage.exchanges[2]?.body)).toContain("make it");
  for (const [args, says] of [
    [["--tools", "Reed"], /no tool is named "Reed"; did you mean Read\?/],
    [["--disable-tools", "Bsh"], /tools\.disabled: no tool is named "Bsh"; did you mean bash\?/],
    [["--disable-tools", "Nothing"], /tools\.disabled: no tool is named "Nothing"/],
    [["--allowedTools", "Bsh(git log:*)"], /permissions\.allow: .*no tool is named "Bsh"; did you mean bash\?/],
    [["--disallowedTools", "Read,Writ"], /permissions\.deny: .*no tool is named "Writ"; did you mean write\?/],
    [["--effort", "huge"], /--effort.*one of minimal.*\[usage\.invalid\]\n {2}Try: capstan run --help/],
    [["--permission-mode", "bypassPermissions"], /--yolo/],
  ] as const)
    expect(await stage.run([...args, "go"])).toMatchObject({ code: 2, stderr: expect.stringMatching(says) });
  expect(stage.exchanges).toHaveLength(4);
});

const high = ["-p", "hi", "--effort", "high", ...fast, "-m"];

slowTest(
  "an effort is not sent to a model that has none, in a resumed session neither, and a line says so",
  async () => {
    const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }, { text: "three" }]);
    const sent = (): readonly boolean[] => stage.exchanges.map(({ body }) => JSON.stringify(body).includes('"effort"'));
    const run = await place.run([...high, "claude-haiku-4-5"], { env: stage.env });
    expect(run).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        "the model anthropic/claude-haiku-4-5 has no effort to set; --effort is left out",
      ),
    });
    expect((await place.run(["-c", "--effort", "low", "more"], { env: stage.env })).code).toBe(0);
    expect(sent()).toEqual([false, false]);
    const other = await place.run([...high, "claude-opus-5"], { env: stage.env });
    expect([other.code, other.stderr.includes("no effort"), sent()[2]]).toEqual([0, false, true]);
  },
);
