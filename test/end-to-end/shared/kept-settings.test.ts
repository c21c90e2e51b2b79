import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { type Stage, usePlace } from "../stage/place.ts";
import { linesOf, parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";

const place = usePlace();
const sessionId = "kept";

/** The session's vendor, and another one that a run without a model would turn to. */
async function twoVendors(turns: readonly object[]): Promise<{ readonly own: Stage; readonly other: Stage }> {
  const own = await place.rehearse("google", turns);
  const other = await place.rehearse("anthropic", [{ text: "from another vendor" }]);
  return { own, other };
}

/** `capstan run` without a model, with the keys of both vendors; the configuration names the other one's model. */
function resume({ own, other }: { readonly own: Stage; readonly other: Stage }, ...args: readonly string[]) {
  const env = { ...own.env, ...other.env, CAPSTAN_MODEL: "anthropic/rehearsal" };
  return place.run(["run", "--set", "retry.base_delay_ms=1", "--resume", sessionId, ...args], { env });
}

/** The one thing that waits for an answer. */
async function waitingId(): Promise<string> {
  const { id }: { readonly id: string } = JSON.parse((await place.run(["interactions", "list", "--json"])).stdout);
  return id;
}

slowTest("a session that is resumed asks its own model, whatever the configuration names now", async () => {
  const stages = await twoVendors([{ text: "one" }, { text: "two" }]);
  await stages.own.run(["--session-id", sessionId, "say one"]);
  expect((await resume(stages, "say two")).stdout).toBe("two\n");
  expect([stages.own.exchanges.length, stages.other.exchanges.length]).toEqual([2, 0]);
  const given = await resume(stages, "-m", "anthropic/rehearsal", "say three");
  expect(given.stdout).toBe("from another vendor\n");
});

test("what is given again is kept by the next resume, and the one after it", async () => {
  const stages = await twoVendors([{ text: "one" }]);
  await stages.own.run(["--session-id", sessionId, "--permission-mode", "plan", "--max-turns", "7", "say one"]);
  const other = {
    ...stages,
    other: await place.rehearse(
      "anthropic",
      ["two", "three", "four"].map((text) => ({ text })),
    ),
  };
  const given = ["-m", "anthropic/rehearsal", "--permission-mode", "accept-edits"];
  expect((await resume(other, ...given, "say two")).stdout).toBe("two\n");
  // As on the next day: the other vendor's key is there, and its model is the configured one.
  for (const text of ["three", "four"]) {
    const env = { ...stages.own.env, ...other.other.env, CAPSTAN_MODEL: "google/rehearsal" };
    const next = await place.run(["run", "-c", "--output-format", "stream-json", `say ${text}`], { env });
    expect(parseResult(next)).toMatchObject({ outcome: "done", text });
    expect(linesOf(next, "init")).toMatchObject([{ model: "anthropic/rehearsal", permissionMode: "accept-edits" }]);
  }
  const { stdout } = await place.run(["sessions", "show", sessionId, "--json"]);
  expect(stdout.match(/"maxModelCallsPerTurn":\d+/g)?.at(-1)).toBe('"maxModelCallsPerTurn":7');
  expect(stages.own.exchanges).toHaveLength(1);
});

slowTest("a turn that was killed is carried on with by its own vendor", async () => {
  const stages = await twoVendors([{ text: "never", first_byte_delay_ms: 60_000 }, { text: "carried on" }]);
  const running = stages.own.start(["--session-id", sessionId, "say one"]);
  await stages.own.requests(1);
  running.kill("SIGKILL");
  await running.ended;
  expect((await resume(stages)).stdout).toBe("carried on\n");
  expect(stages.other.exchanges).toHaveLength(0);
});

slowTest("a turn that was parked is carried on with by its own vendor, in its own mode", async () => {
  const ask = { name: "ask_user", arguments: { questions: [{ question: "Which one?", header: "one", options: [] }] } };
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
  const stages = await twoVendors([{ tool_calls: [ask] }, { tool_calls: [write] }, { text: "made it" }]);
  const mode = ["--permission-mode", "accept-edits"];
  const parked = await stages.own.run(["--session-id", sessionId, ...mode, "--on-ask", "park", "go"]);
  expect(parked.code).toBe(7);
  const waiting = await waitingId();
  expect((await place.run(["interactions", "answer", waiting, "--reply", "the first"])).code).toBe(0);
  const resumed = await resume(stages);
  expect({ code: resumed.code, stdout: resumed.stdout }).toEqual({ code: 0, stdout: "made it\n" });
  expect(resultsOf(stages.own.exchanges[1])[0]?.text).toContain("the first");
  expect(place.read("made.txt")).toBe("made\n");
  expect(stages.other.exchanges).toHaveLength(0);
});

slowTest("a turn of an approved plan keeps the mode that was approved", async () => {
  const present = { name: "exit_plan_mode", arguments: { plan: "1. write made.txt" } };
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
  const stages = await twoVendors([
    { tool_calls: [present] },
    { tool_calls: [write] },
    { text: "made it" },
    { text: "more" },
  ]);
  const mode = ["--permission-mode", "plan"];
  expect((await stages.own.run(["--session-id", sessionId, ...mode, "--on-ask", "park", "go"])).code).toBe(7);
  const waiting = await waitingId();
  const answer = ["interactions", "answer", waiting, "--plan", "proceed", "--mode", "accept-edits"];
  expect((await place.run(answer)).code).toBe(0);
  expect((await resume(stages)).code).toBe(0);
  expect(place.read("made.txt")).toBe("made\n");
  const { stdout } = await place.run(["sessions", "show", sessionId, "--json"]);
  expect(stdout).toContain('"mode":"accept-edits"');
  expect(stages.other.exchanges).toHaveLength(0);
});
