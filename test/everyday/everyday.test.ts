import { expect, test } from "vitest";
import { commandsOf } from "../../scripts/reference/everyday/everyday-command.ts";
import { everydays } from "../../scripts/reference/everyday/everydays.ts";
import { everydayShell } from "../../scripts/reference/everyday/shell.ts";
import { usePlace } from "../end-to-end/stage/place.ts";
import { missingPrograms, runInside, runOutside } from "./run-everyday.ts";
import { withoutChance } from "./without-chance.ts";

const place = usePlace();
const missing = missingPrograms(["bwrap", ...everydayShell.needs]);

test("the table has at least 150 commands, of which 100 succeed outside, and every difference has its reason in one line", () => {
  const all = everydays.flatMap((everyday) => commandsOf(everyday));
  expect(all.length).toBeGreaterThanOrEqual(150);
  expect(all.filter(({ code = 0, reaches }) => code === 0 && reaches === undefined).length).toBeGreaterThanOrEqual(100);
  expect(all.filter(({ differs }) => differs !== undefined && !/^[^\n]{30,200}\.$/.test(differs))).toEqual([]);
});

test.skipIf(missing.length > 0)(
  `the first commands do the same in the sandbox, and what does something else is seen (needs ${missing.join(", ") || "nothing more"})`,
  async () => {
    const commands = [...commandsOf(everydayShell).slice(0, 8), { command: "cat ~/outside.txt" }];
    const few = { ...everydayShell, commands };
    const [outside, inside] = [await runOutside(place, few), await runInside(place, few)];
    expect(inside.ran.slice(0, 8)).toEqual(outside.ran.slice(0, 8));
    expect(outside.ran[8]).toEqual({ command: "cat ~/outside.txt", code: 0, lines: ["outside"] });
    expect(inside.ran[8]).toMatchObject({
      code: 1,
      lines: [expect.stringContaining("sandbox.readable"), expect.any(String)],
    });
    expect(inside.left).toEqual(outside.left);
  },
);

test("what is left to chance is left out of a comparison, and nothing else", () => {
  expect(withoutChance("[main 8c7a713] docs: 3 files, v1-1-g8c7a713, in 1.2s at 2026-01-01 00:00:00 +0000")).toBe(
    "[main <id>] docs: 3 files, v1-1-<id>, in <time> at <time>",
  );
  expect(withoutChance("Exit 3: 12 added, 7 facade.c")).toBe("Exit 3: 12 added, 7 facade.c");
});
