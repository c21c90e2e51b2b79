import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { lastUserText } from "../stage/read-request.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const place = usePlace();

test("a command of the user's own is offered with its description, says its prompt twice, and one that cannot be used says why", async () => {
  const folder = join(place.data, "commands");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "issue.md"),
    "---\ndescription: Looks at an issue\nargument-hint: NUMBER\n---\nLook at issue $1.",
  );
  writeFileSync(join(folder, "runs.md"), "See !`git status`.");
  const stage = await place.rehearse("anthropic", [{ text: "Answer one." }, { text: "Answer two." }]);
  const terminal = startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], { rows: 40, env: stage.env });
  await terminal.screenShows(/^› \n/m);
  terminal.type("/iss");
  await terminal.screenShows(/\/issue {2}NUMBER {2}Looks at an issue/);
  terminal.type("ue 17\r");
  await terminal.screenShows(/Answer one\./);
  await terminal.screenShows(/^› \n/m);
  terminal.type("/runs\r");
  await terminal.screenShows(/has a line to run/);
  terminal.type("\u0003/issue 18\r");
  await terminal.screenShows(/Answer two\./);
  const said = stage.exchanges.map((exchange) => lastUserText(exchange).split("\n").at(-1));
  expect(said).toEqual(["Look at issue 17.", "Look at issue 18."]);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
