import { defineConfig } from "vitest/config";
import fast from "../../vitest.config.ts";

/** The fast tests without what prepares the binary. */
export default defineConfig((env) => {
  const base = fast(env);
  // A mutant that hangs a test is noticed after this, not after two minutes.
  return { ...base, test: { ...base.test, globalSetup: [], passWithNoTests: true, testTimeout: 40_000 } };
});
