/** What an agent needs an approval for is asked where its caller's user is. */
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { parseResult } from "../stage/read-output.ts";
import { resultsOf } from "../stage/read-request.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const inbox = useInbox();
const calling = { tool_calls: [{ name: "spawn_agent", arguments: { agent: "bash", prompt: "Count." } }] };
const once = [calling, { tool_calls: [count] }, { text: "Counted." }, { text: "All done." }];
/** The end of every question. */
const prompt = /v details > /;

test("at a terminal an agent's calls are asked about like its caller's, in the second turn too", async () => {
  const stage = await inbox.rehearse([...once, ...once]);
  for (const args of [["go"], ["-c", "once more"]]) {
    const line = ["run", "-m", "anthropic/rehearsal", ...asking, ...args];
    const terminal = startOnTerminal(inbox.place, line, { env: stage.env });
    await terminal.shows(/Run WITHOUT A SANDBOX: \.\/count\.sh/);
    await terminal.shows(/The agent bash asks\./);
    await terminal.shows(prompt);
    terminal.type("1");
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain("All done.");
  }
  expect(inbox.runs).toBe(2);
});

slowTest("what is denied to an agent is denied to it, and its caller reads what it makes of that", async () => {
  const stage = await inbox.rehearse([
    calling,
    { tool_calls: [count] },
    { text: "Nobody let me." },
    { text: "A pity." },
  ]);
  const line = ["run", "-m", "anthropic/rehearsal", ...asking, "go"];
  const terminal = startOnTerminal(inbox.place, line, { env: stage.env });
  await terminal.shows(prompt);
  terminal.type("n");
  await terminal.shows(/no words\)> /);
  terminal.type("\r");
  await terminal.ended;
  expect(inbox.runs).toBe(0);
  expect(resultsOf(stage.exchanges[3])).toMatchObject([{ text: expect.stringContaining("Nobody let me.") }]);
});

slowTest("a run parks with what its agent waits for, and continues once that is answered from elsewhere", async () => {
  const stage = await inbox.rehearse(once);
  const parked = await inbox.park(stage);
  expect(parseResult(parked)["pending"]).toMatchObject([{ type: "approval" }]);
  expect((await inbox.answer(await inbox.only(), "--approve")).code).toBe(0);
  expect(inbox.runs).toBe(0);
  expect(parseResult(await inbox.proceed(stage))).toMatchObject({ outcome: "done", text: "All done." });
  expect(inbox.runs).toBe(1);
  expect(stage.exchanges).toHaveLength(4);
});

slowTest("in the terminal UI an agent's call has a card, and the answer goes to the agent", async () => {
  const stage = await inbox.rehearse(once);
  const line = ["tui", "-m", "anthropic/rehearsal", ...asking];
  const terminal = startOnTerminal(inbox.place, line, { rows: 40, env: stage.env });
  await terminal.screenShows(/^› \n/m);
  terminal.type("go\r");
  await terminal.screenShows(/Run WITHOUT A SANDBOX: \.\/count\.sh[^]*The agent bash asks\.[^]*a number answers/);
  terminal.type("1");
  await terminal.screenShows(/All done\./);
  expect(inbox.runs).toBe(1);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
