import { slowTest } from "@capstan/testkit";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bundledProgram } from "../../../test/programs/bundled-program.ts";

const example = join(import.meta.dirname, "..");
const root = join(example, "../..");

slowTest("the example with a provider of its own does its task, and says how", async () => {
  const program = await bundledProgram(join(example, "run.ts"));
  const said = execFileSync(process.execPath, [program], { cwd: root, encoding: "utf8" });
  expect(said).toContain("→ Read greeting.txt (allow)");
  expect(said).toContain("The greeting now names line talk.");
  expect(said).toContain("done after 3 requests; the file says: Hello, line talk.");
});

test("its provider knows what the package exports, and nothing else of Capstan", () => {
  const source = readFileSync(join(example, "line-talk-provider.ts"), "utf8");
  const imports = [...source.matchAll(/from "([^"]+)"/g)].map((match) => match[1]);
  expect(imports).toEqual(["capstan"]);
});
