import { join } from "node:path";
import type { ToolsOptions } from "../../../src/options.ts";
import { absentSandbox } from "@capstan/testkit";

/** Options of a tool whose files all lie below one directory. */
export function commandOptions(base: string): ToolsOptions {
  return {
    deniedPatterns: [],
    allowAbsolute: true,
    home: "/home/nobody",
    ownFolders: [],
    sandbox: absentSandbox,
    spillDirectory: join(base, "spill"),
    statusDirectory: join(base, "runs"),
    environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    shell: undefined,
    timeouts: { fileMs: 30_000, commandMs: 60_000, maxCommandMs: 60_000, searchMs: 20_000 },
    limits: {
      outputBytes: 102_400,
      readBytes: 204_800,
      scanBytes: 2_097_152,
      patchBytes: 524_288,
      writeBytes: 10_485_760,
      searchResults: 200,
      globResults: 1000,
    },
  };
}
