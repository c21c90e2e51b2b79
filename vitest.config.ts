import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { stateMark } from "./scripts/state-mark/state-mark.ts";
import { LongestFirst } from "./test/tiers/longest-first.ts";
import { filesToRun } from "./test/tiers/test-tiers.ts";

/** `vitest run` is the fast tier, `vitest run --mode slow` the slow one. */
export default defineConfig(({ mode }) => {
  const tier = mode === "slow" ? "slow" : "fast";
  return {
    // As the bundle has it.
    define: { capstanStateMark: JSON.stringify(stateMark(import.meta.dirname)) },
    resolve: {
      conditions: ["source"],
      // The package as examples import it.
      alias: [{ find: /^capstan$/, replacement: join(import.meta.dirname, "library", "src", "index.ts") }],
    },
    ssr: { resolve: { conditions: ["source"] } },
    test: {
      include: [...filesToRun(import.meta.dirname, tier)],
      env: { CAPSTAN_TEST_TIER: tier, CAPSTAN_TEST_TREE: treeNumber() },
      globalSetup: ["test/global-setup.ts"],
      setupFiles: ["test/property-seed.ts"],
      // On two cores: many tests wait for a process.
      maxWorkers: 3,
      sequence: { sequencer: LongestFirst },
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

/** 32 bits that follow from what is committed; of a checkout without git always the same. Asked for once, not in each test file. */
function treeNumber(): string {
  try {
    const id = execFileSync("git", ["rev-parse", "HEAD^{tree}"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return String(Number.parseInt(id.slice(0, 8), 16) | 0);
  } catch {
    return "0";
  }
}
