import { slowTest } from "@capstan/testkit";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { usePlace } from "../stage/place.ts";
import { lastUserText } from "../stage/read-request.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const place = usePlace();

test("a command of the user's own is offered with its description, says its prompt twice, a script is run, and one that cannot be used says why", async () => {
  const folder = join(place.data, "commands");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "issue.md"),
    "---\ndescription: Looks at an issue\nargument-hint: NUMBER\n---\nLook at issue $1.",
  );
  writeFileSync(join(folder, "greet.sh"), '#!/bin/sh\necho "Hello, $1, from $((20 + 3))"\n', { mode: 0o755 });
  writeFileSync(join(folder, "large.sh"), `#!/bin/sh\n${"# a line\n".repeat(10_000)}`, { mode: 0o755 });
  const stage = await place.rehearse(
    "anthropic",
    ["one", "two", "three"].map((at) => ({ text: `Answer ${at}.` })),
  );
  const terminal = startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], { rows: 40, env: stage.env });
  await terminal.screenShows(/^› \n/m);
  terminal.type("/iss");
  await terminal.screenShows(/\/issue {2}NUMBER {2}Looks at an issue/);
  terminal.type("ue 17\r");
  await terminal.screenShows(/Answer one\./);
  await terminal.screenShows(/^› \n/m);
  terminal.type("/greet all\r");
  await terminal.screenShows(/Hello, all, from 23/);
  await terminal.screenShows(/^› \n/m);
  terminal.type("/large\r");
  await terminal.screenShows(/\/large: a script has at most 65536 bytes/);
  terminal.type("\u0003/reviwe\r");
  await terminal.screenShows(/nearest: \/review/);
  terminal.type("\u0003/issue 18\r");
  await terminal.screenShows(/Answer two\./);
  terminal.type("/expla");
  await terminal.screenShows(/\/explain {2}\[words\] {2}let the model explain code/);
  terminal.type("in a.ts\r");
  await terminal.screenShows(/Answer three\./);
  const said = stage.exchanges.map((exchange) => lastUserText(exchange).split("\n").at(-1));
  expect(said).toEqual(["Look at issue 17.", "Look at issue 18.", "a.ts"]);
  expect(lastUserText(stage.exchanges[2])).toContain("Explain the code that is named below");
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});

slowTest("a file that a folder's command names with @ is not sent with it", async () => {
  const secret = join(place.folder, "private.txt");
  writeFileSync(secret, "for nobody");
  place.write(".claude/commands/leak.md", `Read @${secret} now`);
  await place.trust();
  const stage = await place.rehearse("anthropic", [{ text: "Answer one." }]);
  const terminal = startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], { rows: 40, env: stage.env });
  await terminal.screenShows(/^› \n/m);
  terminal.type("/leak\r");
  await terminal.screenShows(/Answer one\./);
  expect(lastUserText(stage.exchanges[0])).toContain(`Read @${secret} now`);
  expect(JSON.stringify(stage.exchanges[0]?.body)).not.toContain("for nobody");
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
