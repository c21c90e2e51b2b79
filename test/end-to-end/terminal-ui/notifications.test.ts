import { expect, test } from "vitest";
import { asking, useInbox } from "../inbox/use-inbox.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const inbox = useInbox();

function writing(path: string): object {
  return { tool_calls: [{ name: "write_file", arguments: { path, content: "hello\n" } }] };
}

const notification = "\u001b]9;";

/** The end of a title is no bell. */
function withoutTitles(text: string): string {
  const [first = "", ...titled] = text.split("\u001b]2;");
  return [first, ...titled.map((piece) => piece.slice(piece.indexOf("\u0007") + 1))].join("");
}

test("what waits is said by a notification while the window has not the focus, and by the bell while it has; nothing of the session is in it", async () => {
  const stage = await inbox.rehearse([writing("secret.txt"), { text: "One." }, writing("b.txt"), { text: "Two." }]);
  const env = { ...stage.env, TERM_PROGRAM: "WezTerm" };
  const terminal = startOnTerminal(inbox.place, ["tui", "-m", "anthropic/rehearsal", ...asking], { rows: 40, env });
  await terminal.screenShows(/^› \n/m);
  terminal.type("\u001b[Obegin\r");
  await terminal.shows(/\]9;Capstan: waiting for you/);
  await terminal.screenShows(/▌ Create secret\.txt[^]*a number answers/);
  terminal.type("\u001b[I");
  terminal.type("1");
  await terminal.screenShows(/One\.[^]*— done/);
  terminal.type("again\r");
  await terminal.screenShows(/▌ Create b\.txt[^]*a number answers/);
  expect(terminal.text().split(`${notification}Capstan: waiting for you\u001b\\`)).toHaveLength(2);
  expect(terminal.text().split(notification)).toHaveLength(2);
  expect(withoutTitles(terminal.text())).toContain("\u0007");
  terminal.type("1");
  await terminal.screenShows(/Two\.[^]*— done/);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
