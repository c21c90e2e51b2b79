import { expect, test } from "vitest";
import { startOnTerminal } from "../stage/terminal.ts";
import { usePlace } from "../stage/place.ts";

const place = usePlace();

test("a line that begins with # is remembered after a choice, listed and forgotten, and the words come back where it is not", async () => {
  const stage = await place.rehearse("anthropic", [{ text: "Answer one." }, { text: "Answer two." }]);
  const terminal = startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], { rows: 40, env: stage.env });
  const says = async (typed: string, shown: RegExp): Promise<void> => {
    await terminal.screenShows(/^› \n/m);
    terminal.type(`${typed}\r`);
    await terminal.screenShows(shown);
  };
  await says("/facts", /Nothing is remembered here/);
  await says("#We deploy on Fridays.", /Remember: We deploy on Fridays\.[^]*for work in this folder/);
  terminal.type("\r");
  await terminal.screenShows(/Remembered: We deploy on Fridays\./);
  await says("#Never mind.", /do not remember it/);
  terminal.type("\u001b[B\u001b[B\r");
  await terminal.screenShows(/^› #Never mind\./m);
  terminal.type("\u0003");
  await says("Question one.", /Answer one\./);
  expect(JSON.stringify(stage.exchanges[0]?.body)).toContain("We deploy on Fridays.");
  await says("/facts fridays", /Enter forgets one[^]*We deploy on Fridays\./);
  terminal.type("\r");
  await terminal.screenShows(/Forget: We deploy on Fridays\./);
  terminal.type("\u001b[B\r");
  await terminal.screenShows(/It is forgotten\./);
  await says("/facts", /Nothing is remembered here/);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
