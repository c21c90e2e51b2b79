/**
 * A vitest that stays: it reads what it is to run from the parent process, and answers which files failed. What it has transformed
 * once it keeps, but for the files it is told have changed.
 */
import { join } from "node:path";
import { createVitest } from "vitest/node";
import type { FailedFiles, TestsToRun } from "./warm-tests.ts";

const root = process.cwd();
const vitest = await createVitest("test", {
  root,
  config: join(root, "scripts/mutants/near.config.ts"),
  watch: false,
  reporters: [{}],
  maxWorkers: 2,
});
await vitest.standalone();
const specifications = new Map((await vitest.globTestSpecifications()).map((one) => [one.moduleId, one]));

process.on("message", (message: TestsToRun) => {
  void run(message).then((failed) => process.send?.(failed));
});
// What is sent before somebody listens is lost.
process.send?.("ready");

async function run({ files, changed }: TestsToRun): Promise<FailedFiles> {
  for (const path of changed) vitest.invalidateFile(join(root, path));
  const asked = files.flatMap((path) => specifications.get(join(root, path)) ?? []);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  const ended = new Map(testModules.map((one) => [one.moduleId, one.ok()]));
  // An error that belongs to no test belongs to all of them.
  return { failed: files.filter((path) => unhandledErrors.length > 0 || ended.get(join(root, path)) === false) };
}
