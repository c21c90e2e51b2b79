import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { usePlace } from "./stage/place.ts";
import { parseLines, parseResult } from "./stage/read-output.ts";

const place = usePlace();
const json = ["--output-format", "json"];

slowTest("six runs at once in one home, each with a session of its own, all succeed", async () => {
  const runs = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const write = { name: "write_file", arguments: { path: `made-${index}.txt`, content: "x\n" } };
      const stage = await place.rehearse("anthropic", [
        { tool_calls: [write] },
        { text: `answer ${index}`, piece_bytes: 3 },
      ]);
      return stage.run([...json, "--yolo", `question ${index}`]);
    }),
  );
  expect(runs.map((run) => parseResult(run))).toMatchObject(
    runs.map((_, index) => ({
      outcome: "done",
      text: `answer ${index}`,
      filesChanged: [{ path: `made-${index}.txt` }],
    })),
  );
  expect(parseLines(await place.run(["sessions", "list", "--json"]))).toHaveLength(6);
});

slowTest(
  "two runs in one session: the second waits for the first, carries on when that is stopped, and the journal stays whole",
  async () => {
    const stall = { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } };
    const stage = await place.rehearse("anthropic", [
      { text: "first" },
      stall,
      { text: "x" },
      { text: "y" },
      { text: "z" },
    ]);
    await stage.run(["--session-id", "shared", "hello"]);
    const first = stage.start(["--output-format", "stream-json", "--resume", "shared", "from the first"]);
    await first.stdoutMatches(/"text-delta"/);
    const second = stage.start([...json, "--resume", "shared", "from the second"]);
    await first.stdoutMatches(/"turn-queued"/);
    first.kill("SIGINT");
    const ends = [parseResult(await first.ended), parseResult(await second.ended)];
    expect(ends.map(({ outcome }) => outcome)).toEqual(["interrupted", "done"]);
    expect((await stage.run([...json, "--resume", "shared", "after both"])).code).toBe(0);
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
    const records = parseLines(await place.run(["sessions", "show", "shared", "--json"]));
    const numbers = records.map((record) => Number(record["seq"]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  },
);

test("a run that waits for a far retry stops when it is asked to", async () => {
  const fault = { type: "http", status: 429, retry_after: "50", times: 1 };
  const stage = await place.rehearse("anthropic", [{ text: "late", fault }]);
  const running = stage.start(["--output-format", "stream-json", "go"]);
  await running.stdoutMatches(/"step-retrying"/);
  running.kill("SIGINT");
  const run = await running.ended;
  expect(parseResult(run)).toMatchObject({ outcome: "interrupted", exitCode: 130, draft: "go" });
  expect(stage.exchanges).toHaveLength(1);
});

slowTest("a reader of progress that goes away does not stop the run", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "hello" }]);
  const running = stage.start(["go"]);
  running.closeStderr();
  const run = await running.ended;
  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 0, stdout: "hello\n" });
});
