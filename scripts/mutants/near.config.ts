import { defineConfig } from "vitest/config";
import fast from "../../vitest.config.ts";

/** The fast tests below the folders that `CAPSTAN_TEST_FOLDERS` names: none of them starts the binary. */
export default defineConfig((env) => {
  const base = fast(env);
  const folders = (process.env["CAPSTAN_TEST_FOLDERS"] ?? "").split(",");
  const isNear = (path: string): boolean => folders.some((folder) => path.startsWith(`${folder}/`));
  const include = (base.test?.include ?? []).filter(isNear);
  return { ...base, test: { ...base.test, include, globalSetup: [], passWithNoTests: true } };
});
