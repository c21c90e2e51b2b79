import { join } from "node:path";
import { expect, test } from "vitest";
import { startOnTerminal } from "../stage/terminal.ts";
import { usePlace } from "../stage/place.ts";

const place = usePlace();

test("/context shows what the model is shown; its summary is undone, redone and edited, each once", async () => {
  const texts = ["Answer one.", "Answer two.", "Answer three.", "Three things were asked.", "Answer four."];
  const stage = await place.rehearse(
    "anthropic",
    texts.map((text) => ({ text })),
  );
  place.write("editor.sh", 'printf "It was about ships." > "$1"\n');
  const editor = join(place.workspace, "editor.sh");
  const terminal = startOnTerminal(place, ["tui", "-m", "anthropic/rehearsal"], {
    rows: 40,
    env: { ...stage.env, VISUAL: `sh ${editor}` },
  });
  for (const number of ["one", "two", "three"]) {
    await terminal.screenShows(/^› \n/m);
    terminal.type(`Question ${number}.\r`);
    await terminal.screenShows(new RegExp(`Answer ${number}\\.`));
  }
  const says = async (typed: string, shown: RegExp): Promise<void> => {
    await terminal.screenShows(/^› \n/m);
    terminal.type(`${typed}\r`);
    await terminal.screenShows(shown);
  };
  await says("/context undo", /No summary stands for messages of this session/);
  await says("/compact", /shown to the model as a summary/);
  await says("/context undo", /c1 is undone/);
  await says("/context undo", /is not what the model is shown/);
  await says("/context redo", /c1 stands for the first 2 messages again/);
  await says("/context edit", /The words of c1 are changed/);
  await says("/context nonsense", /takes undo, redo or edit, not nonsense/);
  await says(
    "/context",
    /Messages {2}6: the first 2 as a summary[^]*c1: the first 2 messages, shown now\n +It was about ships\./,
  );
  terminal.type("q");
  await says("Question four.", /Answer four\./);
  expect(JSON.stringify(stage.exchanges.at(-1)?.body)).toContain("It was about ships.");
  terminal.type("\u0004");
  expect(await terminal.ended).toBe(0);
});
