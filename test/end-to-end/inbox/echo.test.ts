import { expect, test } from "vitest";
import { startOnTerminal } from "../stage/terminal.ts";
import { useInbox } from "./use-inbox.ts";

const inbox = useInbox();

function ask(question: string): object {
  return { tool_calls: [{ name: "ask_user", arguments: { questions: [{ question }] } }] };
}

test("three questions in one run: every key stands on the terminal once", async () => {
  const stage = await inbox.rehearse([ask("First?"), ask("Second?"), ask("Third?"), { text: "thanks" }]);
  const terminal = startOnTerminal(inbox.place, ["run", "-m", "anthropic/rehearsal", "go"], { env: stage.env });
  for (const [question, answer] of [
    ["First", "one answer"],
    ["Second", "another one"],
    ["Third", "the last one"],
  ] as const) {
    await terminal.shows(new RegExp(`${question}\\?[^]*deny> `));
    terminal.type(`${answer}\r`);
  }
  expect(await terminal.ended).toBe(0);
  const prompts = (await terminal.screen()).filter((line) => line.includes("/deny> "));
  expect(prompts).toEqual([
    "1. answer, or /deny> one answer",
    "1. answer, or /deny> another one",
    "1. answer, or /deny> the last one",
  ]);
});
