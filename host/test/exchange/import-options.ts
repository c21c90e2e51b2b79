import { sessionConfig } from "@capstan/testkit";
import type { ImportOptions } from "../../src/exchange/import-session.ts";

/** How a session is imported in tests, but for what a test says. */
export function importOptions(said: Partial<ImportOptions> = {}): ImportOptions {
  return {
    version: "1.2.3",
    now: 1000,
    newId: () => "new-id",
    workspace: () => Promise.resolve({ cwd: "/", roots: ["/"] }),
    config: () => Promise.resolve(sessionConfig()),
    redact: (text) => text,
    ...said,
  };
}
