import { defineConfig } from "vitest/config";
import fast from "../../vitest.config.ts";

/** The fast tests without what prepares the binary, all of them, or those below the folders that `CAPSTAN_TEST_FOLDERS` names. */
export default defineConfig((env) => {
  const base = fast(env);
  const folders = process.env["CAPSTAN_TEST_FOLDERS"]?.split(",");
  const isNear = (path: string): boolean => folders?.some((folder) => path.startsWith(`${folder}/`)) ?? true;
  const include = (base.test?.include ?? []).filter(isNear);
  // A mutant that hangs a test is noticed after this, not after two minutes.
  return { ...base, test: { ...base.test, include, globalSetup: [], passWithNoTests: true, testTimeout: 40_000 } };
});
