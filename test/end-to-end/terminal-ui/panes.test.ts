import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { slowTest } from "@capstan/testkit";
import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal, type TerminalRun } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;
const calling = { tool_calls: [{ name: "spawn_agent", arguments: { agent: "bash", prompt: "Count them." } }] };
const allowed = ["--allow", "run_command(./count.sh)"];
const waiting = "for i in $(seq 600); do [ -e gate ] && break; sleep 0.05; done; echo run >> runs.log";

async function open(
  turns: readonly object[],
  args: readonly string[] = [],
): Promise<{ terminal: TerminalRun; requests: () => readonly unknown[] }> {
  const stage = await inbox.rehearse(turns);
  const words = ["tui", "-m", "anthropic/rehearsal", ...asking, ...args];
  const terminal = startOnTerminal(place, words, { rows: 40, env: stage.env });
  await terminal.screenShows(/^› \n/m);
  return { terminal, requests: () => stage.exchanges };
}

async function leave(terminal: TerminalRun): Promise<void> {
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
}

slowTest(
  "D18 an agent at work has a row with what it does; Tab leads to it: it is looked at, given words, and another one stopped",
  async () => {
    const { terminal, requests } = await open(
      [
        calling,
        { tool_calls: [count] },
        { text: "Counted." },
        { text: "All done." },
        calling,
        { tool_calls: [count] },
        { text: "As you say." },
      ],
      allowed,
    );
    inbox.writeScript(waiting);
    terminal.type("go\r");
    await terminal.screenShows(/agents: 1 at work[^]*\n {2}bash ▸ \.\/count\.sh · \d+ s/);
    terminal.type("\t");
    await terminal.screenShows(/Agents of this session[^]*bash: Count them\.[^\n]*at work/);
    terminal.type("\r");
    await terminal.screenShows(/look at its work/);
    terminal.type("\r");
    await terminal.screenShows(/^bash: Count them\.[^]*› Count them\.[^]*▸ \.\/count\.sh/m);
    terminal.type("q");
    await terminal.screenShows(/agents: 1 at work/);
    terminal.type("\t");
    await terminal.screenShows(/Agents of this session/);
    terminal.type("\r");
    await terminal.screenShows(/send it words/);
    terminal.type("send it\r");
    await terminal.screenShows(/It reads them with its next step/);
    terminal.type("only the green ones\r");
    await terminal.screenShows(/Sent to bash/);
    writeFileSync(join(place.workspace, "gate"), "");
    await terminal.screenShows(/All done\.[^]*— done/);
    expect(JSON.stringify(requests()[2])).toContain("only the green ones");
    expect((await terminal.screen()).join("\n")).not.toContain("at work");

    inbox.writeScript(waiting.replaceAll("gate", "second-gate"));
    terminal.type("once more\r");
    await terminal.screenShows(/agents: 1 at work[^]*\n {2}bash ▸ \.\/count\.sh/);
    terminal.type("/agents\r");
    await terminal.screenShows(/Agents of this session[^]*at work[^]*done · /);
    terminal.type("\r");
    await terminal.screenShows(/stop it/);
    terminal.type("stop it\r");
    await terminal.screenShows(/As you say\.[^]*— /);
    expect(inbox.runs).toBe(1);
    await leave(terminal);
  },
);

/** The model writes its list, of which so many are done. */
function tasks(done: number): object {
  return {
    tool_calls: [
      {
        name: "update_plan",
        arguments: {
          plan: Array.from({ length: 9 }, (_, at) => ({
            step: `step ${at + 1}`,
            status: at < done ? "completed" : at === done ? "in_progress" : "pending",
          })),
        },
      },
    ],
  };
}

test("the task list stands below the work while it runs, Ctrl-T hides and shows it, and /tasks shows all of it", async () => {
  const { terminal } = await open([tasks(0), { tool_calls: [count] }, tasks(4), { text: "Half of it." }], allowed);
  inbox.writeScript(waiting);
  terminal.type("go\r");
  await terminal.screenShows(/▸ \.\/count\.sh[^]*tasks: 0 of 9 done[^]*\n {2}▸ step 1\n {2}☐ step 2\n[^]*step 6\n─/);
  terminal.type("\u0014");
  await terminal.screenShows(/▸ \.\/count\.sh[^\n]*\n─/);
  terminal.type("\u0014");
  await terminal.screenShows(/tasks: 0 of 9 done/);
  writeFileSync(join(place.workspace, "gate"), "");
  await terminal.screenShows(/Half of it\.[^]*— done[^]*tasks: 4 of 9 done[^]*\n {2}☑ step 4\n {2}▸ step 5\n/);
  terminal.type("\u0014");
  await terminal.screenShows(/— done[^\n]*\n─/);
  terminal.type("/tasks\r");
  await terminal.screenShows(/^Tasks[^]*☐ step 9/m);
  terminal.type("q");
  await terminal.screenShows(/^› \n/m);
  expect(inbox.runs).toBe(1);
  await leave(terminal);
});
