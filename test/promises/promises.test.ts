/** Every promise of ours is data, with the one fast test that owns it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { matrixFaults } from "../../scripts/reference/crash-matrix-rows.ts";
import { faultRows } from "../../scripts/reference/provider-fault-rows.ts";
import { readTestFile } from "../crash-matrix/stage/test-titles.ts";
import { testFiles, tierOf } from "../tiers/test-tiers.ts";
import { invariants } from "./invariants.ts";
import type { OwnedPromise, Owner } from "./promise.ts";
import { protections, whenKilled } from "./readme.ts";
import { demonstration, installation, modeSection, usage } from "./readme-use.ts";
import { modes, providerFaults, toolAliases } from "./reference.ts";

const root = join(import.meta.dirname, "..", "..");
const files = new Set(testFiles(root));

/** What is wrong with an owner, in words. */
function problemsOf({ file, title }: Owner): readonly string[] {
  if (!files.has(file)) return [`there is no ${file}`];
  if (tierOf(file) !== "fast") return [`${file} is in the slow tier`];
  return readTestFile(root, file).fastTitles.includes(title) ? [] : [`${file} has no test "${title}"`];
}

/** What a document says without an owner, and what is owned and nowhere said. */
function unmatched(said: readonly string[], promises: readonly OwnedPromise[]): readonly string[] {
  return [
    ...said.filter((text) => !promises.some(({ says }) => text.startsWith(says))).map((text) => `nobody owns: ${text}`),
    ...promises
      .filter(({ says }) => said.filter((text) => text.startsWith(says)).length !== 1)
      .map(({ says }) => `said nowhere, or twice: ${says}`),
  ];
}

/** A section of a document: what stands between its heading and the next one. */
function sectionOf(document: string, heading: string): string {
  const [, after = ""] = readFileSync(join(root, document), "utf8").split(`\n## ${heading}\n`);
  return after.split(/\n## /)[0] ?? "";
}

/** The sentences of the paragraphs and points of a text, without what stands in fences and tables. */
function sentencesOf(text: string): readonly string[] {
  return text
    .replaceAll(/^```.*?^```$/gms, "")
    .replaceAll(/^\|.*$/gm, "")
    .split(/\n\n|\n(?=- )/)
    .map((part) => part.trim().replace(/^- /, "").replaceAll(/\s+/g, " "))
    .flatMap((part) => part.split(/(?<=\.) (?=[A-Z`])/))
    .filter((sentence) => sentence !== "");
}

test("every invariant has one owner", () => {
  const said = [...sectionOf("ARCHITECTURE.md", "Invariants").matchAll(/^\d+\. (.*)$/gm)].map(([, text = ""]) => text);
  expect(said.length).toBeGreaterThan(10);
  expect(unmatched(said, invariants)).toEqual([]);
});

test("every fault that is planted has its place in the code", () => {
  const places = invariants.map(({ fault: { file, from } }) => ({
    file,
    times: existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8").split(from).length - 1 : 0,
  }));
  expect(places.filter(({ times }) => times !== 1)).toEqual([]);
});

const sections = [
  ["Install", installation],
  ["Use it", usage],
  ["See it work", demonstration],
  ["Modes", modeSection],
  ["What happens when it is killed", whenKilled],
  ["What protects you", protections],
] as const;

test.each(sections)("every sentence of the README's “%s” has one owner", (heading, promises) => {
  const said = sentencesOf(sectionOf("README.md", heading));
  expect(said.length).toBeGreaterThan(2);
  expect(unmatched(said, promises)).toEqual([]);
});

test("every owner is a test of the fast tier", () => {
  const owners = [
    ...[...invariants, ...sections.flatMap(([, promises]) => promises)].map(({ owner }) => owner),
    ...Object.values(modes),
    ...toolAliases,
    ...Object.values(providerFaults).flat(),
  ];
  expect(owners.flatMap((owner) => problemsOf(owner))).toEqual([]);
});

test("every heading of failing providers is played in the fast tier", () => {
  expect(Object.keys(providerFaults)).toEqual(Object.keys(faultRows));
});

test("every fault of the crash matrix that is shown at all is shown in the fast tier", () => {
  const rows = Object.values(matrixFaults).flat();
  const unshown = rows.filter(({ cells }) => {
    const tests = Object.values(cells).flatMap((cell) => (cell.type === "shown" ? cell.tests : []));
    return tests.length > 0 && !tests.some((owner) => problemsOf(owner).length === 0);
  });
  expect(unshown.map(({ fault }) => fault)).toEqual([]);
});

test("a promise without an owner, an owner that is not there, and one that is slow, are noticed", () => {
  const own = { file: "test/promises/promises.test.ts", title: "every invariant has one owner" };
  expect(
    unmatched(
      ["Water is wet.", "Fire is hot."],
      [
        { says: "Fire", owner: own },
        { says: "Ice", owner: own },
      ],
    ),
  ).toEqual(["nobody owns: Water is wet.", "said nowhere, or twice: Ice"]);
  expect(problemsOf(own)).toEqual([]);
  expect(problemsOf({ ...own, title: "none" })).toEqual([`${own.file} has no test "none"`]);
  expect(problemsOf({ file: "test/none.test.ts", title: "" })).toEqual(["there is no test/none.test.ts"]);
  expect(problemsOf({ file: "test/torture/kills.slow.test.ts", title: "" })).toHaveLength(1);
});
