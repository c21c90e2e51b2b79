/** `docs/reference/` says what the code does: made from it, and compared in both directions. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCatalog, refusalCatalog } from "@capstan/protocol";
import { expect, test } from "vitest";
import { noticeCodes } from "../scripts/reference/errors-page.ts";
import { markdownTable } from "../scripts/reference/markdown-table.ts";
import { referencePages } from "../scripts/reference/reference-pages.ts";
import { recordShapesFile, recordShapesPath } from "../scripts/reference/shapes/record-shapes-file.ts";
import { toolFamiliesFile, toolFamiliesPath } from "../scripts/reference/tool-families-file.ts";
import { readLayers } from "./tidy/layers.ts";
import { sourceFiles } from "./tidy/source-file.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "docs", "reference");
const code = Object.keys(readLayers(root))
  .flatMap((layer) => sourceFiles(root, `${layer}/src`))
  .filter(({ path }) => !path.endsWith("/error-catalog.ts") && !path.endsWith("/refusal-catalog.ts"))
  .map(({ text }) => text)
  .join("\n");

test("every page says what `npm run docs` would write, and there is no other page", async () => {
  const pages = await referencePages(root);
  expect(readdirSync(folder).toSorted()).toEqual([...pages.keys()].toSorted());
  for (const [name, text] of pages)
    expect(readFileSync(join(folder, name), "utf8"), `${name}: run npm run docs`).toBe(text);
}, 60_000);

test("rules speak of tools as the tools' definitions say", () => {
  expect(readFileSync(join(root, toolFamiliesPath), "utf8"), "run npm run docs").toBe(toolFamiliesFile());
});

test("records are checked by what their types say", () => {
  expect(readFileSync(join(root, recordShapesPath), "utf8"), "run npm run docs").toBe(recordShapesFile(root));
});

test("every error or refusal code that is listed is used", () => {
  const listed = Object.keys({ ...errorCatalog, ...refusalCatalog });
  expect(listed.filter((name) => !code.includes(`"${name}"`))).toEqual([]);
});

test("every code that is used is listed, as an error, a refusal or a notice", () => {
  const used = [...code.matchAll(/\bcode: "([a-z]+\.[a-z-]+)"/g)].map(([, name = ""]) => name);
  const listed = { ...errorCatalog, ...refusalCatalog, ...noticeCodes };
  expect([...new Set(used)].filter((name) => !Object.hasOwn(listed, name))).toEqual([]);
  expect(Object.keys(noticeCodes).filter((name) => !used.includes(name))).toEqual([]);
});

test("a table's cells cannot break the table", () => {
  expect(markdownTable(["a"], [["x | y\n  z"]])).toBe("| a |\n| --- |\n| x \\| y z |");
});
