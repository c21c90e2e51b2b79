/**
 * A vitest that stays: it reads what it is to run from the parent process, and answers what came of it. What it has transformed
 * once it keeps, but for the files that the parent says have changed.
 */
import { join } from "node:path";
import { createVitest } from "vitest/node";
import type { TestsRun, TestsToRun } from "./warm-tests.ts";

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

/** Removes the binary of the sources as they are now; absent: there is none. */
let removeBinary: (() => void) | undefined;
process.once("exit", () => removeBinary?.());

process.on("message", (message: TestsToRun) => {
  void run(message).then((ran) => process.send?.(ran));
});
// What is sent before somebody listens is lost.
process.send?.("ready");

async function run({ files, changed, binary, titles }: TestsToRun): Promise<TestsRun> {
  for (const path of changed) vitest.invalidateFile(join(root, path));
  if (changed.length > 0) dropBinary();
  // What cannot be bundled, or not run once, fails every test of it.
  if (binary && !(await hasBinary())) return { failed: files, count: 0 };
  const asked = files.flatMap((path) => specifications.get(join(root, path)) ?? []);
  if (titles === undefined) vitest.resetGlobalTestNamePattern();
  else vitest.setGlobalTestNamePattern(titles);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  const ended = new Map(testModules.map((one) => [one.moduleId, one.ok()]));
  const results = testModules.flatMap((one) => [...one.children.allTests()]).map((one) => one.result().state);
  return {
    // An error that belongs to no test belongs to all of them.
    failed: files.filter((path) => unhandledErrors.length > 0 || ended.get(join(root, path)) === false),
    count: results.filter((state) => state !== "skipped").length,
  };
}

async function hasBinary(): Promise<boolean> {
  try {
    // Most never need it, and it stands on half of the product.
    const { setup } = await import("../../test/global-setup.ts");
    removeBinary ??= await setup(vitest);
    return true;
  } catch {
    return false;
  }
}

function dropBinary(): void {
  removeBinary?.();
  removeBinary = undefined;
}
