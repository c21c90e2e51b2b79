import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import type { Run } from "../stage/run-capstan.ts";
import { asking, count, json, useInbox } from "./use-inbox.ts";

const inbox = useInbox();

const talk = [{ tool_calls: [count] }, { text: "counted" }];

test("asked, killed, answered from another process, resumed: the call runs once", async () => {
  const stage = await inbox.rehearse(talk);
  const running = await inbox.startWaiting(stage);
  running.kill("SIGKILL");
  await running.ended;
  const answered = await inbox.answer(await inbox.only(), "--approve");
  expect({ code: answered.code, stderr: answered.stderr }).toEqual({ code: 0, stderr: "" });
  expect(answered.stdout).toContain("resume with: capstan run --resume");
  expect(inbox.runs).toBe(0);
  const resumed = await inbox.proceed(stage);
  expect(parseResult(resumed)).toMatchObject({ outcome: "done", text: "counted" });
  expect(inbox.runs).toBe(1);
  expect(await inbox.pending()).toEqual([]);
  expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
});

slowTest(
  "parked edits that were approved elsewhere are done once when the session is resumed where nobody can be asked, the second like the first",
  async () => {
    const edits = [
      ["one", "two"],
      ["two", "three"],
    ].map(([before, after]) => ({
      name: "edit_file",
      arguments: { path: "note.txt", old_text: before, new_text: after },
    }));
    const [first, second] = edits;
    const read = { name: "read_file", arguments: { path: "note.txt" } };
    const stage = await inbox.rehearse([
      { tool_calls: [read] },
      { tool_calls: [first] },
      { text: "first" },
      { tool_calls: [second] },
      { text: "second" },
    ]);
    inbox.place.write("note.txt", "one\n");
    const resume = (): Promise<Run> => stage.run([...json, ...asking, "--continue"]);
    await inbox.park(stage);
    await inbox.answer(await inbox.only(), "--approve");
    expect(inbox.place.read("note.txt")).toBe("one\n");
    expect(parseResult(await resume())).toMatchObject({ outcome: "done", text: "first" });
    expect(inbox.place.read("note.txt")).toBe("two\n");
    expect(parseResult(await inbox.proceed(stage, "again"))).toMatchObject({ outcome: "parked" });
    await inbox.answer(await inbox.only(), "--approve");
    expect(parseResult(await resume())).toMatchObject({ outcome: "done", text: "second" });
    expect(inbox.place.read("note.txt")).toBe("three\n");
  },
);

slowTest("a run that continues names the calls that were asked about before", async () => {
  const stage = await inbox.rehearse(talk);
  await inbox.park(stage);
  await inbox.answer(await inbox.only(), "--approve");
  const run = await stage.run([...asking, "--continue"]);
  expect(run.stderr).toContain("▸ ./count.sh");
});

slowTest("what waits is shown without the secrets in it, and runs with them", async () => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const secret = "pass-of-the-user-7261";
  const command = `test -n ${token} && test -n ${secret} && ./count.sh`;
  const call = { name: "run_command", arguments: { command } };
  const stage = await inbox.rehearse([{ tool_calls: [call] }, { text: "counted" }]);
  const env = { MY_SECRET: secret };
  const parked = await stage.run([...json, ...asking, "--on-ask", "park", "go"], { env });
  const id = await inbox.only();
  const shown = await Promise.all(
    [["list"], ["list", "--json"], ["show", id], ["show", id, "--json"]].map((words) =>
      inbox.place.run(["interactions", ...words], { env }),
    ),
  );
  for (const { stdout, stderr } of [parked, ...shown]) {
    expect([token, secret].filter((word) => `${stdout}${stderr}`.includes(word))).toEqual([]);
  }
  expect(shown[2]?.stdout).toContain("./count.sh");
  await inbox.answer(id, "--approve", "--remember", "always");
  expect(parseResult(await stage.run([...json, ...asking, "--continue"], { env }))).toMatchObject({ outcome: "done" });
  expect(inbox.runs).toBe(1);
  const grants = await inbox.place.run(["policy", "grants", "list", "--json"], { env });
  expect(grants.stdout).toContain("./count.sh");
  expect([token, secret].filter((word) => grants.stdout.includes(word))).toEqual([]);
});

slowTest("a run that waits continues with an answer from another process, which is notified", async () => {
  const stage = await inbox.rehearse(talk);
  const running = await inbox.startWaiting(stage);
  const answered = await inbox.answer(await inbox.only(), "--approve");
  expect({ code: answered.code, stdout: answered.stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`process ${running.pid} (cli) continues`),
  });
  const run = await running.ended;
  expect({ code: run.code, result: parseResult(run) }).toMatchObject({ code: 0, result: { outcome: "done" } });
  expect(inbox.runs).toBe(1);
});

test("a parked run says what waits and how to answer it, and continues when it is answered", async () => {
  const stage = await inbox.rehearse(talk);
  const parked = parseResult(await inbox.park(stage));
  const id = await inbox.only();
  expect(parked).toMatchObject({
    outcome: "parked",
    exitCode: 7,
    pending: [
      { id, type: "approval", command: expect.stringContaining(`interactions answer ${id} --approve --digest`) },
    ],
  });
  expect(await inbox.proceed(stage)).toMatchObject({ code: 7 });
  expect((await inbox.answer(id.slice(0, -2), "--approve")).code).toBe(0);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ outcome: "done", text: "counted" });
  expect(inbox.runs).toBe(1);
});

slowTest("of two answers at once the first durable one counts, and both are notified", async () => {
  const stage = await inbox.rehearse(talk);
  await inbox.park(stage);
  const id = await inbox.only();
  const runs = await Promise.all([inbox.answer(id, "--approve"), inbox.answer(id, "--deny")]);
  expect(new Set(runs.map(({ code }) => code))).toEqual(new Set([0, 1]));
  const [approved, denied] = runs;
  const refused = approved?.code === 0 ? denied : approved;
  expect(refused?.stderr).toMatch(/nothing changed: it was answered before: .*\[interaction\.settled\]/);
  const resumed = parseResult(await inbox.proceed(stage));
  expect(resumed["outcome"]).toBe(approved?.code === 0 ? "done" : "tool-denied");
  expect(inbox.runs).toBe(approved?.code === 0 ? 1 : 0);
});

slowTest(
  "of two answers at once to a run that waits one counts, the other learns which, and the run continues with it",
  async () => {
    const stage = await inbox.rehearse(talk);
    const running = await inbox.startWaiting(stage);
    const id = await inbox.only();
    const runs = await Promise.all([inbox.answer(id, "--approve"), inbox.answer(id, "--deny")]);
    const [approved, denied] = runs;
    expect(new Set(runs.map(({ code }) => code))).toEqual(new Set([0, 1]));
    const isApproved = approved?.code === 0;
    const counted = isApproved ? "approve" : "deny";
    expect((isApproved ? denied : approved)?.stderr).toContain(`it was answered before: ${counted}`);
    expect(parseResult(await running.ended)["outcome"]).toBe(isApproved ? "done" : "tool-denied");
    expect(inbox.runs).toBe(isApproved ? 1 : 0);
  },
);

test("an answer is given once: the same again changes nothing, and says so", async () => {
  const stage = await inbox.rehearse(talk);
  await inbox.park(stage);
  const id = await inbox.only();
  expect((await inbox.answer(id, "--approve")).code).toBe(0);
  const before = await journal();
  const again = await inbox.answer(id, "--approve");
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("[interaction.settled]"),
  });
  expect(await journal()).toBe(before);
  await inbox.proceed(stage);
  expect(inbox.runs).toBe(1);
});

slowTest("an answer to something else than what is asked, or of another kind, changes nothing", async () => {
  const stage = await inbox.rehearse(talk);
  await inbox.park(stage);
  const id = await inbox.only();
  const before = await journal();
  const stale = await inbox.answer(id, "--approve", "--digest", "0123456789ab");
  expect({ code: stale.code, stderr: stale.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("[interaction.stale]"),
  });
  expect((await inbox.answer(id, "--stop")).stderr).toContain("[interaction.wrong-answer]");
  expect((await inbox.answer(`${id}9`, "--approve")).stderr).toContain("[interaction.unknown]");
  expect((await inbox.answer("", "--approve")).stderr).toContain("[interaction.unknown]");
  expect(await journal()).toBe(before);
  expect(await inbox.pending()).toEqual([id]);
});

slowTest("what nobody answers in time counts as denied; an answer after that changes nothing", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [count] }, { text: "then not" }]);
  const run = await stage.run([...json, ...asking, "--on-ask", "wait", "--set", "approvals.timeout_seconds=1", "go"]);
  expect({ code: run.code, result: parseResult(run) }).toMatchObject({
    code: 3,
    result: { outcome: "tool-denied", text: "then not" },
  });
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("nobody answered in time");
  const id = String(parseResult(run)["sessionId"]);
  const asked = await inbox.place.run(["sessions", "show", id, "--json"]);
  const interaction = /"id":"(1-[^"]+)"/.exec(asked.stdout)?.[1] ?? "none";
  const late = await inbox.answer(interaction, "--approve");
  expect({ code: late.code, stderr: late.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("[interaction.expired]"),
  });
  expect(inbox.runs).toBe(0);
});

slowTest("words are no answer: they wait in line, and the call does not run", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [count] }, { text: "not done" }, { text: "you said yes" }]);
  await inbox.park(stage);
  const spoken = await inbox.proceed(stage, "yes, approved");
  expect(parseResult(spoken)).toMatchObject({ outcome: "parked" });
  expect(inbox.runs).toBe(0);
  const session = String(parseResult(spoken)["sessionId"]);
  const shown = await inbox.place.run(["sessions", "show", session, "--json"]);
  expect(shown.stdout).toContain("input.no-answer");
  expect((await inbox.answer(await inbox.only(), "--deny")).code).toBe(0);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ text: "you said yes" });
  expect(inbox.runs).toBe(0);
});

async function journal(): Promise<string> {
  const sessions = await inbox.place.run(["sessions", "list", "--json"]);
  const id = /"id":"([^"]+)"/.exec(sessions.stdout)?.[1] ?? "none";
  return (await inbox.place.run(["sessions", "show", id, "--json"])).stdout;
}
