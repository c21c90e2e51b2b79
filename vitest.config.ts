import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    include: ["*/*/test/**/*.test.ts", "host/test/**/*.test.ts", "app/test/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/global-setup.ts"],
    maxWorkers: 2,
    // Far above any test on a quiet machine: a busy one must not make a promise look broken.
    testTimeout: 120_000,
  },
});
