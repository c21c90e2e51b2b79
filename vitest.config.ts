import { defineConfig } from "vitest/config";
import { stateMark } from "./scripts/state-mark/state-mark.ts";
import { filesToRun } from "./test/tiers/test-tiers.ts";

/** `vitest run` is the fast tier, `vitest run --mode slow` the slow one. */
export default defineConfig(({ mode }) => {
  const tier = mode === "slow" ? "slow" : "fast";
  return {
    // As the bundle has it.
    define: { capstanStateMark: JSON.stringify(stateMark(import.meta.dirname)) },
    resolve: { conditions: ["source"] },
    ssr: { resolve: { conditions: ["source"] } },
    test: {
      include: [...filesToRun(import.meta.dirname, tier)],
      env: { CAPSTAN_TEST_TIER: tier },
      globalSetup: ["test/global-setup.ts"],
      setupFiles: ["test/property-seed.ts"],
      // On two cores: many tests wait for a process.
      maxWorkers: 3,
      // Nothing is kept in module variables; a worker of its own for each file would take half of the time again.
      isolate: false,
      unstubEnvs: true,
      // What it stands on has a condition "source", too, with TypeScript behind it.
      server: { deps: { inline: ["@modelcontextprotocol/client", "eventsource"] } },
      // Far above any test on a quiet machine: a busy one must not make a promise look broken.
      testTimeout: 120_000,
    },
  };
});
