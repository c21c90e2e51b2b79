import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { isRunning } from "../stage/process-state.ts";
import { linesOf, parseResult } from "../stage/read-output.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();

const json = ["--output-format", "json"];
const command = "echo $$ > pid; echo started; while [ ! -e continue ]; do sleep 0.05; done; echo ended";

test("a session in use is refused to everybody else, who learns by whom; the one at work is unharmed", async () => {
  const { stage, holder } = await held();
  const second = await stage.run([...json, "--resume", "shared", "two"]);
  expect({ code: second.code, error: parseResult(second)["error"] }).toMatchObject({
    code: 1,
    error: {
      code: "session.busy",
      message: expect.stringContaining(`process ${holder.pid}`),
      hint: expect.stringContaining("--fork-session"),
    },
  });
  const refused = await Promise.all([
    stage.run(["--continue", "two"]),
    place.run(["sessions", "delete", "shared", "--yes"]),
    place.run(["sessions", "undo", "shared"]),
  ]);
  expect(refused.map((run) => [run.code, run.stderr.includes("[session.busy]")])).toEqual(refused.map(() => [1, true]));
  place.write("continue", "");
  expect(parseResult(await holder.ended)).toMatchObject({ outcome: "done", text: "one" });
  expect(stage.exchanges).toHaveLength(2);
  expect((await place.run(["doctor", "shared"])).code).toBe(0);
});

test("what a refused run is asked to do instead can be done", async () => {
  const { stage, holder } = await held();
  const { stderr } = await stage.run(["--resume", "shared", "two"]);
  const [, hint = ""] = /`capstan ([^`]+)`/.exec(stderr) ?? [];
  const following = place.start(hint.split(" "));
  await following.stdoutMatches(/> go/);
  // It follows for as long as the other works.
  place.write("continue", "");
  const [shown] = await Promise.all([following.ended, holder.ended]);
  expect({ code: shown.code, text: shown.stdout }).toEqual({ code: 0, text: expect.stringContaining("> go") });
});

test("a copy of a session in use takes nothing away from it: its command continues, and nothing of it runs in the copy", async () => {
  const { stage, holder } = await held();
  const fork = await stage.run([
    "--output-format",
    "stream-json",
    "--yolo",
    "--fork-session",
    "--resume",
    "shared",
    "two",
  ]);
  expect(linesOf(fork, "tool-started")).toEqual([]);
  expect(parseResult(fork)["outcome"]).toBe("done");
  const copy = (await place.run(["sessions", "fork", "shared"])).stdout.trim();
  await place.run(["sessions", "export", "shared", "-o", "shared.jsonl"]);
  await place.run(["sessions", "import", "shared.jsonl", "--as", "imported"]);
  for (const id of [copy, "imported"])
    expect((await stage.run(["--yolo", "--on-unknown", "tell-model", "--resume", id, "more"])).code).toBe(0);
  expect(isRunning(place, "pid")).toBe(true);
  place.write("continue", "");
  const finished = linesOf(await holder.ended, "tool-finished");
  expect(finished).toMatchObject([{ outcome: { type: "done", content: expect.stringContaining("ended") } }]);
});

test("a holder that is stopped keeps its session; one that was killed loses it at once", async () => {
  const { stage, holder } = await held();
  holder.kill("SIGSTOP");
  expect((await stage.run([...json, "--resume", "shared", "two"])).code).toBe(1);
  holder.kill("SIGKILL");
  await holder.ended;
  const next = await stage.run([...json, "--resume", "shared", "--on-unknown", "tell-model", "two"]);
  expect(parseResult(next)).toMatchObject({ outcome: "done" });
});

test("two that begin at the same instant: one writes, or one after the other, and the loser says so", async () => {
  const turns = Array.from({ length: 21 }, () => ({ text: "word ".repeat(200) }));
  const stage = await place.rehearse("anthropic", turns);
  await stage.run(["--session-id", "shared", "one"]);
  let done = 1;
  for (let round = 0; round < 5; round += 1) {
    const both = await Promise.all([
      stage.run([...json, "--continue", "two"]),
      stage.run([...json, "--resume", "shared", "three"]),
    ]);
    const ends = both.map((run) => parseResult(run)["error"] ?? "done");
    done += ends.filter((end) => end === "done").length;
    expect(ends).toContain("done");
    expect(ends.filter((end) => end !== "done")).toEqual(
      Array.from({ length: ends.filter((end) => end !== "done").length }, () =>
        expect.objectContaining({ code: "session.busy" }),
      ),
    );
  }
  expect((await place.run(["doctor", "shared"])).code).toBe(0);
  expect(stage.exchanges).toHaveLength(done);
  expect((await place.run(["sessions", "list"])).stdout).toContain(`${done} turns`);
});

/** A session in the middle of a command that waits for `continue`. */
async function held(): Promise<{ readonly stage: Stage; readonly holder: RunningCapstan }> {
  const call = { name: "run_command", arguments: { command } };
  const texts = ["one", "two", "three", "four", "five", "six", "seven"].map((text) => ({ text }));
  const stage = await place.rehearse("anthropic", [{ tool_calls: [call] }, ...texts]);
  const holder = stage.start(["--output-format", "stream-json", "--yolo", "--session-id", "shared", "go"]);
  await holder.stdoutMatches(/"delta":"started/);
  return { stage, holder };
}
