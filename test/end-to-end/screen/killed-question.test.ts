import { expect, test } from "vitest";
import { asking, count, useInbox } from "../inbox/use-inbox.ts";
import { besideShell, killBinary } from "../stage/beside-shell.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const inbox = useInbox();
const { place } = inbox;

test("killed while it asks, under a shell that sets nothing right itself, the terminal is as before; the second time, too, and then it is answered", async () => {
  const stage = await inbox.rehearse([{ tool_calls: [count] }, { text: "counted" }]);
  const start = (args: readonly string[]): ReturnType<typeof startOnTerminal> =>
    startOnTerminal(place, ["run", ...asking, ...args], { env: stage.env, script: besideShell });
  for (const args of [["-m", "anthropic/rehearsal", "go"], ["-c"]]) {
    const terminal = start(args);
    await terminal.screenShows(/1 once[^]*v details >/);
    killBinary(place);
    await terminal.screenShows(/SHELL IS BACK/);
    expect(await terminal.ended).toBe(0);
    expect(place.read("after")).toBe(place.read("before"));
  }
  const last = start(["-c"]);
  await last.screenShows(/1 once[^]*v details >/);
  last.type("1");
  await last.screenShows(/counted[^]*SHELL IS BACK/);
  expect(await last.ended).toBe(0);
  expect(inbox.runs).toBe(1);
  expect(place.read("after")).toBe(place.read("before"));
});
