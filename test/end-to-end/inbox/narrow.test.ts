import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { startOnTerminal } from "../stage/terminal.ts";
import { useInbox } from "./use-inbox.ts";

const inbox = useInbox();
const answer = "A **strong** word and more of it than a narrow terminal has room for.\n\n- one\n- two";

test("an answer is drawn in the width of the terminal, without colours where none are wanted, also the second one after a resize", async () => {
  const ask = { tool_calls: [{ name: "ask_user", arguments: { questions: [{ question: "Which?" }] } }] };
  const stage = await inbox.rehearse([{ text: answer }, ask, { text: answer }]);
  const env = { ...stage.env, NO_COLOR: "1" };
  const first = startOnTerminal(inbox.place, ["run", "-m", "anthropic/rehearsal", "go"], { env, columns: 40 });
  expect(await first.ended).toBe(0);
  const lines = ["A strong word and more of it than a", "narrow terminal has room for.", "", "• one", "• two"];
  expect((await first.screen()).join("\n")).toContain(lines.join("\n"));
  expect(first.text()).not.toContain("\u001b[1m");
  const second = startOnTerminal(inbox.place, ["run", "-m", "anthropic/rehearsal", "-c", "go"], { env, columns: 40 });
  // A busy system reports a new size late: there is a whole model call until it matters.
  await second.shows(/sandbox/);
  second.resize(24, 20);
  await second.shows(/Which\?[^]*deny> /);
  second.type("this\r");
  expect(await second.ended).toBe(0);
  expect((await second.screen()).join("\n")).toContain(
    "A strong word and more\nof it than a narrow\nterminal has room for.",
  );
});

slowTest("what is asked at a narrow terminal is broken between words, and its answer is taken", async () => {
  const plan = { tool_calls: [{ name: "exit_plan_mode", arguments: { plan: "Say hello." } }] };
  const stage = await inbox.rehearse([plan, { text: "hello" }]);
  const args = ["run", "-m", "anthropic/rehearsal", "--permission-mode", "plan", "go"];
  const terminal = startOnTerminal(inbox.place, args, { env: stage.env, columns: 44 });
  await terminal.screenShows(/\[x\] cancel[^]*view> ?$/);
  const rows = (await terminal.screen()).join("\n");
  expect(rows).toContain("[p] proceed  [c] proceed, forget what was\n");
  terminal.type("x\r");
  expect(await terminal.ended).toBe(0);
});
