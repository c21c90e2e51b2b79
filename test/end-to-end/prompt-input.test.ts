import { slowTest, sampled } from "@capstan/testkit";
import { expect, test } from "vitest";
import { overWires } from "./stage/over-wires.ts";
import { models, usePlace } from "./stage/place.ts";
import { parseResult } from "./stage/read-output.ts";
import { lastUserText } from "./stage/read-request.ts";

const place = usePlace();

const answer = [{ text: "hi" }];

overWires("over %s", (wire, test) => {
  test("piped standard input is appended to the prompt", async () => {
    const stage = await place.rehearse(wire, answer);
    const run = await stage.run(["explain this"], { input: "Grüße, 世界\nsecond line\n" });
    expect(run.stdout).toBe("hi\n");
    expect(lastUserText(stage.exchanges[0])).toContain("explain this\n\nGrüße, 世界\nsecond line\n");
  });

  test("standard input alone is a prompt", async () => {
    const stage = await place.rehearse(wire, answer);
    expect((await stage.run([], { input: "just this" })).code).toBe(0);
    expect(lastUserText(stage.exchanges[0])).toContain("just this");
  });

  test.for(
    sampled(
      [
        ["-p", "hello there", "-m", models[wire]],
        ["-m", models[wire], "-p", "hello there"],
        ["--print", "hello there", `--model=${models[wire]}`],
        ["run", "-p", "hello there", "-m", models[wire]],
      ],
      2,
    ),
  )("%j is a run", async (args) => {
    const stage = await place.rehearse(wire, answer);
    expect((await place.run(args, { env: stage.env })).stdout).toBe("hi\n");
    expect(lastUserText(stage.exchanges[0])).toContain("hello there");
  });
});

slowTest("sessions show ends piped words where they end, also those of the second turn", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "one" }, { text: "two" }]);
  expect((await stage.run(["--session-id", "piped"], { input: "only this\n" })).code).toBe(0);
  expect((await stage.run(["--resume", "piped", "with words"], { input: "and\n\nthis\n\n" })).code).toBe(0);
  const { stdout } = await place.run(["sessions", "show", "piped"]);
  expect(stdout).toContain("> only this\n\none\n");
  expect(stdout).toContain("> with words\n> \n> and\n> \n> this\n\ntwo\n");
});

test.for(sampled([[[]], [[""]], [["  \n"]]] as const, 1))(
  "without words (%j) nothing is asked, and the exit code is 2",
  async ([args]) => {
    const stage = await place.rehearse("anthropic", answer);
    const run = await stage.run([...args, "--output-format", "json"]);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain("there is no prompt");
    expect(parseResult(run)).toMatchObject({ outcome: "error", exitCode: 2, error: { code: "usage.invalid" } });
    expect(stage.exchanges).toEqual([]);
  },
);

slowTest("an empty pipe is no prompt", async () => {
  const stage = await place.rehearse("anthropic", answer);
  expect((await stage.run([], { input: "" })).code).toBe(2);
});

slowTest("words that look like a flag come after --", async () => {
  const stage = await place.rehearse("anthropic", answer);
  expect((await stage.run(["--", "-p is no flag here"])).code).toBe(0);
  expect(lastUserText(stage.exchanges[0])).toContain("-p is no flag here");
});

slowTest("input larger than any prompt is refused, and the limit is named", async () => {
  const stage = await place.rehearse("anthropic", answer);
  const run = await stage.run([], { input: "x".repeat(9_000_000) });
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 2, stderr: expect.stringContaining("8388608 bytes") });
  expect(stage.exchanges).toEqual([]);
});
