import { expect, test } from "vitest";
import { edit, nameServers, read } from "../language-servers/languages-place.ts";
import { usePlace } from "../stage/place.ts";
import { startOnTerminal } from "../stage/terminal.ts";

const place = usePlace();

test("/problems lists what is wrong with the files that the model changed, as it is now, each time", async () => {
  place.write("sum.ts", "export const sum = (a: number, b: number): number => a + b;\n");
  nameServers(place, "typescript");
  await place.trust();
  const breaks = edit("sum.ts", "a + b", "String(a + b)");
  const stage = await place.rehearse("anthropic", [
    { tool_calls: [read("sum.ts")] },
    { tool_calls: [breaks] },
    { text: "Broken." },
  ]);
  const args = ["tui", "-m", "anthropic/rehearsal", "--permission-mode", "accept-edits"];
  const terminal = startOnTerminal(place, args, { rows: 40, env: stage.env });
  const says = async (typed: string, shown: RegExp): Promise<void> => {
    await terminal.screenShows(/^› \n/m);
    terminal.type(`${typed}\r`);
    await terminal.screenShows(shown);
  };
  await says("/problems", /No language server was asked: it is when the model changes a file of its kind\./);
  await says("Break it.", /Broken\./);
  await says("/problems", /Problems \(1\)[^]*error sum\.ts:1:54: Type 'string' is not assignable to type 'number'\./);
  terminal.type("q");
  await terminal.screenShows(/^› \n/m);
  place.write("sum.ts", "export const sum = (a: number, b: number): number => a + b;\n");
  await says("/problems", /The files that this session changed have no problems\./);
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
