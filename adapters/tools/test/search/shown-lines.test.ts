import { SeededRandom } from "@capstan/testkit";
import { expect, test } from "vitest";
import { maxLineLength } from "../../src/search/limits.ts";
import { createSearchTool } from "../../src/search/search.ts";
import { searchPlace, type SearchPlace } from "./search-place.ts";

function place(files: Readonly<Record<string, string>>): SearchPlace {
  return searchPlace((options, paths) => createSearchTool(options, paths), files);
}

/** What `grep -C` shows of a file: every line near a match once, and a sign where lines are left out between. */
function grepped(name: string, lines: readonly string[], context: number): readonly string[] {
  const isMatch = (at: number): boolean => /needle/.test(lines[at] ?? "");
  const near = lines.flatMap((_, at) =>
    lines.some((__, other) => Math.abs(other - at) <= context && isMatch(other)) ? [at] : [],
  );
  return near.flatMap((at, index) => {
    const before = near[index - 1];
    const line = isMatch(at) ? `${name}:${at + 1}: ${lines[at]}` : `${name}-${at + 1}- ${lines[at]}`;
    return before !== undefined && before < at - 1 ? ["--", line] : [line];
  });
}

test("lines around matches are shown once, in order, as grep shows them, however matches lie to each other", async () => {
  const random = new SeededRandom(7);
  const files = Array.from({ length: 24 }, (_, file) => {
    const length = 1 + Math.floor(random.fraction() * 16);
    const lines = Array.from({ length }, (__, at) => (random.fraction() < 0.3 ? `needle ${at}` : `other ${at}`));
    return [`f${String(file).padStart(2, "0")}`, lines] as const;
  });
  const found = files.filter(([, lines]) => lines.some((line) => line.startsWith("needle")));
  const tool = place(Object.fromEntries(files.map(([name, lines]) => [name, `${lines.join("\n")}\n`])));
  for (const context of [1, 2, 3]) {
    const { content } = await tool.call({ pattern: "needle", context });
    const expected = found.map(([name, lines]) => grepped(name, lines, context).join("\n")).join("\n--\n");
    expect([context, content.split("\n").slice(1).join("\n")]).toEqual([context, expected]);
  }
});

/** A line with a match in it, as it is shown. */
async function shown(before: number, after: number, filler = "x"): Promise<string> {
  const tool = place({ a: `${filler.repeat(before)}needle${filler.repeat(after)}\n` });
  const { content } = await tool.call({ pattern: "needle" });
  return content.split("\n")[1]?.replace("a:1: ", "") ?? "";
}

test("of a long line the part around the match is shown, and signs say on which sides something is left out", async () => {
  const rest = maxLineLength - "needle".length;
  const quarter = maxLineLength / 4;
  expect(await shown(0, rest)).toBe(`needle${"x".repeat(rest)}`);
  expect(await shown(0, rest + 1)).toBe(`needle${"x".repeat(rest)}…`);
  expect(await shown(quarter, 1000)).toBe(`${"x".repeat(quarter)}needle${"x".repeat(rest - quarter)}…`);
  expect(await shown(quarter + 1, 1000)).toBe(`…${"x".repeat(quarter)}needle${"x".repeat(rest - quarter)}…`);
  expect(await shown(1000, 0)).toBe(`…${"x".repeat(rest)}needle`);
  expect(await shown(1000, rest - quarter)).toBe(`…${"x".repeat(quarter)}needle${"x".repeat(rest - quarter)}`);
  // Never half a character.
  expect(await shown(301, 301, "🎉")).not.toMatch(
    /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/,
  );
});

function needles(count: number): string {
  return Array.from({ length: count }, (_, at) => `needle ${at + 1}\n`).join("");
}

test("a page begins where the one before ended, also in the middle of a file", async () => {
  const tool = place({ a: needles(3), b: needles(4) });
  const page = async (offset: number): Promise<readonly string[]> =>
    (await tool.call({ pattern: "needle", max_results: 3, offset })).content.split("\n").slice(1);
  expect(await page(1)).toMatchObject([
    "a:1: needle 1",
    "a:2: needle 2",
    "a:3: needle 3",
    expect.stringMatching(/shown: 3 of 7 lines.*offset 4/),
  ]);
  expect(await page(3)).toMatchObject([
    "a:3: needle 3",
    "b:1: needle 1",
    "b:2: needle 2",
    expect.stringMatching(/shown: 3 to 5 of 7 lines.*offset 6/),
  ]);
  expect(await page(5)).toMatchObject([
    "b:2: needle 2",
    "b:3: needle 3",
    "b:4: needle 4",
    "[shown: 5 to 7 of 7 lines.]",
  ]);
  expect(await page(7)).toMatchObject(["b:4: needle 4", "[shown: 7 to 7 of 7 lines.]"]);
  expect(await page(8)).toEqual(["[offset 8 is behind the last of 7 lines.]"]);
});
