import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { isRunning } from "../stage/process-state.ts";
import { linesOf, parseResult } from "../stage/read-output.ts";
import type { RunningCapstan } from "../stage/run-capstan.ts";

const place = usePlace();

const json = ["--output-format", "json"];
const command = "echo $$ > pid; echo started; while [ ! -e continue ]; do sleep 0.05; done; echo ended";

test("words for a session in use wait for the one at work; what takes a session at rest is refused, with the reason", async () => {
  const { stage, holder } = await held();
  const second = stage.start([...json, "--resume", "shared", "two"]);
  await holder.stdoutMatches(/"turn-queued"/);
  const refused = await Promise.all([
    place.run(["sessions", "delete", "shared", "--yes"]),
    place.run(["sessions", "undo", "shared"]),
  ]);
  expect(refused.map((run) => [run.code, /\[([a-z.-]+)\]/.exec(run.stderr)?.[1]])).toEqual([
    [1, "session.busy"],
    // The one at work has been asked, and says why not now.
    [1, "session.waiting"],
  ]);
  place.write("continue", "");
  expect(parseResult(await holder.ended)).toMatchObject({ outcome: "done", text: "one" });
  expect(parseResult(await second.ended)).toMatchObject({ outcome: "done" });
  expect((await place.run(["doctor", "shared"])).code).toBe(0);
});

test("what a run is asked to do whose session cannot be reached can be done", async () => {
  const { stage, holder } = await held();
  holder.kill("SIGSTOP");
  const refused = await stage.run([...json, "--resume", "shared", "two"]);
  const error = JSON.stringify(parseResult(refused)["error"]);
  expect({ code: refused.code, error }).toEqual({ code: 1, error: expect.stringContaining(`process ${holder.pid}`) });
  const [, hint = ""] = /`capstan ([^`]+)`/.exec(refused.stderr) ?? [];
  const following = place.start(hint.split(" "));
  await following.stdoutMatches(/> go/);
  // It follows for as long as the other has the session.
  holder.kill("SIGKILL");
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

test("two that begin at the same instant both get their turn, one after the other", async () => {
  const turns = Array.from({ length: 31 }, () => ({ text: "word ".repeat(200) }));
  const stage = await place.rehearse("anthropic", turns);
  await stage.run(["--session-id", "shared", "one"]);
  const rounds = 5;
  for (let round = 0; round < rounds; round += 1) {
    const both = await Promise.all([
      stage.run([...json, "--continue", "two"]),
      stage.run([...json, "--resume", "shared", "three"]),
    ]);
    expect(both.map((run) => parseResult(run)["error"] ?? "done")).toEqual(["done", "done"]);
  }
  expect((await place.run(["doctor", "shared"])).code).toBe(0);
  expect((await place.run(["sessions", "list"])).stdout).toContain(`${1 + 2 * rounds} turns`);
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
