import { unreachable } from "@capstan/protocol";
import type { DialectCall } from "./dialect-of.ts";

/** Speaks a dialect to its end. Each one's code loads by itself. @returns the exit code */
export async function runDialect({ dialect, args }: DialectCall): Promise<number> {
  switch (dialect) {
    case "claude":
      return await (await import("./run-claude.ts")).runClaude(args);
    case "codex":
      return await (await import("./run-codex.ts")).runCodex(args);
    case "ted":
      return await (await import("./run-ted.ts")).runTed(args);
    default:
      return unreachable(dialect);
  }
}
