import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import { count, useInbox } from "./use-inbox.ts";

const inbox = useInbox();

const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };

slowTest("edited arguments are a new call: it is asked about again, and what was asked is settled", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [write] }, { text: "written" }]);
  await inbox.park(stage);
  const id = await inbox.only();
  const edited = await inbox.answer(id, "--edit", '{"path":"other.txt","content":"edited\\n"}');
  expect({ code: edited.code, stderr: edited.stderr }).toEqual({ code: 0, stderr: "" });
  expect(inbox.place.has("other.txt")).toBe(false);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({
    outcome: "parked",
    pending: [{ summary: expect.stringContaining("other.txt") }],
  });
  const again = await inbox.only();
  expect(again).not.toBe(id);
  expect((await inbox.answer(again, "--approve")).code).toBe(0);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ outcome: "done" });
  expect([inbox.place.has("made.txt"), inbox.place.read("other.txt")]).toEqual([false, "edited\n"]);
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("other.txt");
});

slowTest("edited arguments do not pass a rule that denies, and the model is informed", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [write] }, { text: "not written" }]);
  const rule = ["--deny", "write_file(secret/**)"];
  await inbox.park(stage, ...rule);
  expect((await inbox.answer(await inbox.only(), "--edit", '{"path":"secret/a","content":"x"}')).code).toBe(0);
  const run = await inbox.proceed(stage, ...rule);
  expect({ code: run.code, result: parseResult(run) }).toMatchObject({ code: 3, result: { outcome: "tool-denied" } });
  expect(inbox.place.has("secret/a")).toBe(false);
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("Denied");
});

slowTest("a no with words reaches the model", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [count] }, { text: "I see" }]);
  await inbox.park(stage);
  expect((await inbox.answer(await inbox.only(), "--deny", "--message", "use the other script")).code).toBe(0);
  expect((await inbox.proceed(stage)).code).toBe(3);
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("use the other script");
  expect(inbox.runs).toBe(0);
});

slowTest(
  "an approval for good holds in later sessions, while the script is what it was, until it is revoked",
  async () => {
    const stage = await inbox.rehearse([
      { tool_calls: [count] },
      { text: "first" },
      { tool_calls: [count] },
      { text: "second" },
      { tool_calls: [count] },
      { text: "third" },
      { tool_calls: [count] },
      { text: "fourth" },
    ]);
    await inbox.park(stage);
    expect((await inbox.answer(await inbox.only(), "--approve", "--remember", "always")).code).toBe(0);
    expect(parseResult(await inbox.proceed(stage))).toMatchObject({ text: "first" });
    expect(parseResult(await runAgain(stage))).toMatchObject({ outcome: "done", text: "second" });
    expect(inbox.runs).toBe(2);

    inbox.writeScript("echo other >> runs.log");
    expect(parseResult(await runAgain(stage))).toMatchObject({ outcome: "tool-denied", text: "third" });
    inbox.writeScript("echo run >> runs.log");

    const listed = await inbox.place.run(["policy", "grants", "list", "--json"]);
    const grant: { readonly id: string; readonly rule: object } = JSON.parse(listed.stdout);
    expect(grant.rule).toMatchObject({ verdict: "allow", source: "grant" });
    const shown = await inbox.place.run(["policy", "grants", "show", grant.id.slice(0, 12)]);
    expect(shown.stdout).toContain("as the answer to");
    expect((await inbox.place.run(["policy", "grants", "revoke", grant.id])).code).toBe(0);
    expect(parseResult(await runAgain(stage))).toMatchObject({ outcome: "tool-denied", text: "fourth" });
    expect(inbox.runs).toBe(2);
  },
);

slowTest("a revoked approval holds no more in the session that gave it", async () => {
  const stage = await inbox.rehearse([
    { tool_calls: [count] },
    { text: "first" },
    { tool_calls: [count] },
    { text: "second" },
  ]);
  await inbox.park(stage);
  expect((await inbox.answer(await inbox.only(), "--approve", "--remember", "always")).code).toBe(0);
  await inbox.proceed(stage);
  const listed = await inbox.place.run(["policy", "grants", "list", "--json"]);
  const { id }: { readonly id: string } = JSON.parse(listed.stdout);
  await inbox.place.run(["policy", "grants", "revoke", id]);
  expect(parseResult(await inbox.proceed(stage, "again"))).toMatchObject({ outcome: "parked" });
  expect(inbox.runs).toBe(1);
});

slowTest("an approval for the session is not asked for again there, and is in no other", async () => {
  const stage = await inbox.rehearse([
    { tool_calls: [count] },
    { tool_calls: [{ ...count, arguments: { ...count.arguments, timeout_seconds: 9 } }] },
    { text: "twice" },
    { tool_calls: [count] },
    { text: "denied" },
  ]);
  await inbox.park(stage);
  expect((await inbox.answer(await inbox.only(), "--approve", "--remember", "family")).code).toBe(0);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ outcome: "done", text: "twice" });
  expect(inbox.runs).toBe(2);
  expect(parseResult(await runAgain(stage))).toMatchObject({ outcome: "tool-denied" });
});

slowTest("all approvals of a batch are answered at once", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [count, write] }, { text: "both" }]);
  const parked = parseResult(await inbox.park(stage));
  expect(await inbox.pending()).toHaveLength(2);
  const session = String(parked["sessionId"]);
  const answered = await inbox.place.run(["interactions", "answer", "--batch", session, "--approve"]);
  expect({ code: answered.code, lines: answered.lines.length }).toEqual({ code: 0, lines: 2 });
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ outcome: "done" });
  expect([inbox.runs, inbox.place.read("made.txt")]).toEqual([1, "made\n"]);
});

slowTest("a limit asks whether to continue", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [{ name: "glob", arguments: { pattern: "*" } }] }, { text: "on" }]);
  const limit = ["--max-turns", "1"];
  const parked = parseResult(await inbox.park(stage, ...limit));
  expect(parked).toMatchObject({ pending: [{ type: "budget" }] });
  expect((await inbox.answer(await inbox.only(), "--continue")).code).toBe(0);
  expect(parseResult(await inbox.proceed(stage, ...limit))).toMatchObject({ outcome: "done", text: "on" });
});

test("what is shown is all there is to decide on, inert, with the command of each answer", async () => {
  const hostile = {
    name: "run_command",
    arguments: { argv: ["echo", `a\u001b[2J\u202e${" ".repeat(2000)}; rm -rf x\nyes`] },
  };
  const stage = await inbox.rehearse([{ tool_calls: [hostile] }, { text: "no" }]);
  await inbox.park(stage);
  const id = await inbox.only();
  const { stdout, code } = await inbox.place.run(["interactions", "show", id]);
  expect(code).toBe(0);
  for (const part of ["Run WITHOUT A SANDBOX", "rm -rf x", "digest:", "risk:", `in: ${inbox.place.workspace}`])
    expect(stdout).toContain(part);
  expect(stdout).toMatch(/interactions answer \S+ --approve --digest [0-9a-f]{12}/);
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(stdout.split("\n")).not.toContain("yes");
});

slowTest("the deletion of a session takes what waits in it", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [count] }, { text: "no" }]);
  const session = String(parseResult(await inbox.park(stage))["sessionId"]);
  expect((await inbox.place.run(["sessions", "delete", session, "--yes"])).code).toBe(0);
  expect(await inbox.pending()).toEqual([]);
});

function runAgain(stage: Parameters<typeof inbox.park>[0]) {
  return stage.run(["--output-format", "json", "--set", "sandbox.mode=off", "go"]);
}
