import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import { json, useInbox } from "./use-inbox.ts";

const inbox = useInbox();

test("a plan that is approved from elsewhere is carried out once, and the run that continues has its outcome", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
  const stage = await inbox.rehearse([
    { tool_calls: [{ name: "exit_plan_mode", arguments: { plan: "1. Make the file made.txt." } }] },
    { tool_calls: [write] },
    { text: "made as planned" },
  ]);
  const parked = parseResult(await inbox.park(stage, "--permission-mode", "plan"));
  expect(parked).toMatchObject({ pending: [{ type: "plan-review" }] });
  const id = await inbox.only();
  expect((await inbox.answer(id, "--plan", "proceed")).code).toBe(0);
  expect((await inbox.answer(id, "--plan", "proceed")).stderr).toContain("[interaction.settled]");
  const run = await stage.run(["--output-format", "json", "--continue"]);
  expect(parseResult(run)).toMatchObject({ outcome: "done", text: "made as planned" });
  expect(inbox.place.read("made.txt")).toBe("made\n");
  expect(stage.unused()).toBe(0);
});

slowTest(
  "a plan whose owner was killed while it carried the plan out is continued, and what was made is not made twice",
  async () => {
    const append = { name: "run_command", arguments: { command: "echo made >> made.txt", writes: true } };
    const stage = await inbox.rehearse([
      present("1. Make the file made.txt."),
      { tool_calls: [append] },
      { text: "word ".repeat(100), fault: { type: "stall", after_bytes: 2000 } },
      { text: "made as planned" },
    ]);
    await inbox.park(stage, "--permission-mode", "plan");
    expect((await inbox.answer(await inbox.only(), "--plan", "proceed")).code).toBe(0);
    const running = stage.start(["--output-format", "stream-json", "--yolo", "--continue"]);
    await running.stdoutMatches(/"text-delta"/);
    running.kill("SIGKILL");
    await running.ended;
    expect(inbox.place.read("made.txt")).toBe("made\n");
    const resumed = await stage.run([...json, "--continue", "continue"]);
    expect(parseResult(resumed)).toMatchObject({ outcome: "done", text: "made as planned" });
    expect(inbox.place.read("made.txt")).toBe("made\n");
    expect(stage.exchanges.flatMap((exchange) => exchange.problem ?? [])).toEqual([]);
  },
);

function present(plan: string): object {
  return { tool_calls: [{ name: "exit_plan_mode", arguments: { plan } }] };
}

slowTest("a plan that is sent back is revised in plan mode, by the command that was named", async () => {
  const write = { name: "write_file", arguments: { path: "made.txt", content: "made\n" } };
  const stage = await inbox.rehearse([present("1. Make it."), { tool_calls: [write] }, present("1. Make it well.")]);
  const { sessionId } = parseResult(await inbox.park(stage, "--permission-mode", "plan"));
  const without = await inbox.answer(await inbox.only(), "--plan", "adjust");
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("--message")]);
  await inbox.answer(await inbox.only(), "--plan", "adjust", "--message", "well, please");
  const run = await stage.run(["--output-format", "json", "--on-ask", "park", "--resume", String(sessionId)]);
  expect(parseResult(run)).toMatchObject({ outcome: "parked", pending: [{ type: "plan-review" }] });
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("well, please");
  expect(inbox.place.has("made.txt")).toBe(false);
});

test("a question is answered by number and by words, and the model reads the answers", async () => {
  const question = {
    name: "ask_user",
    arguments: { questions: [{ question: "Which colour?", options: [{ label: "red" }, { label: "blue" }] }] },
  };
  const stage = await inbox.rehearse([{ tool_calls: [question] }, { text: "blue it is" }]);
  await inbox.park(stage);
  expect((await inbox.answer(await inbox.only(), "--reply", "2")).code).toBe(0);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ outcome: "done", text: "blue it is" });
  expect(resultsOf(stage.exchanges[1])[0]?.text).toContain("blue");
});

slowTest(
  "a question says why it is asked and what counts without an answer; left alone over a restart, that counts once",
  async () => {
    const question = { question: "Which colour?", context: "The door is green.", default: "blue", timeout_seconds: 1 };
    const asked = { name: "ask_user", arguments: { questions: [question] } };
    const stage = await inbox.rehearse([{ tool_calls: [asked] }, { text: "blue it is" }, { text: "again" }]);
    await inbox.park(stage);
    const id = await inbox.only();
    const shown = await inbox.place.run(["interactions", "show", id]);
    expect(shown.stdout).toContain("The door is green.");
    expect(shown.stdout).toContain("Without an answer in 1 s it counts as answered: blue.");
    const resumed = await stage.run(["--output-format", "json", "--on-ask", "wait", "--continue"]);
    expect(parseResult(resumed)).toMatchObject({ outcome: "done", text: "blue it is" });
    expect(resultsOf(stage.exchanges[1])[0]?.text).toMatch(
      /default answers count:\nWhich colour\?\n-> blue \(default\)$/,
    );
    const late = await inbox.answer(id, "--reply", "red");
    expect(late.code).not.toBe(0);
    expect(parseResult(await inbox.proceed(stage, "again"))).toMatchObject({ outcome: "done", text: "again" });
  },
);
