import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { parseResult } from "../stage/read-output.ts";
import { startOnTerminal } from "../stage/terminal.ts";
import { asking, count, json, useInbox } from "./use-inbox.ts";

const inbox = useInbox();
const turns = [{ tool_calls: [count] }, { text: "counted" }, { text: "and more" }];

slowTest(
  "what was parked is not denied by a later run that cannot ask: it says what waits, hands its words back, and so does the next",
  async () => {
    const stage = await inbox.rehearse(turns);
    await inbox.park(stage);
    const id = await inbox.only();
    for (const flags of [[], ["--on-ask", "deny"]]) {
      const run = await stage.run([...json, ...asking, ...flags, "--continue", "more"]);
      expect([run.code, parseResult(run)]).toMatchObject([7, { outcome: "parked", draft: "more", pending: [{ id }] }]);
    }
    expect(await inbox.pending()).toEqual([id]);
    await inbox.answer(id, "--approve");
    expect(parseResult(await stage.run([...json, ...asking, "--continue"]))).toMatchObject({ outcome: "done" });
    expect(inbox.runs).toBe(1);
  },
);

test("at a terminal a later -c offers it first, and then takes the new words", async () => {
  const stage = await inbox.rehearse(turns);
  await inbox.park(stage);
  const args = ["run", "-m", "anthropic/rehearsal", ...asking, "--continue", "more"];
  const terminal = startOnTerminal(inbox.place, args, { env: stage.env });
  await terminal.shows(
    /Continuing: what waits for a user's answer\.[^]*Run WITHOUT A SANDBOX: \.\/count\.sh[^]*v details > /,
  );
  expect(stage.exchanges).toHaveLength(1);
  terminal.type("1");
  await terminal.shows(/counted[^]*and more/);
  expect(await terminal.ended).toBe(0);
  expect(inbox.runs).toBe(1);
});
