import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolResult } from "@capstan/ports";
import type { ToolCode } from "../../src/tool-entry.ts";
import type { ActionDraft, JsonObject, Workspace } from "@capstan/protocol";
import { onTestFinished } from "vitest";
import type { ToolsOptions } from "../../src/options.ts";
import { WorkspacePaths } from "../../src/paths/workspace-paths.ts";
import { createRunCommandTool } from "../../src/run-command/run-command.ts";
import { quietContext, absentSandbox } from "@capstan/testkit";

/** A real workspace with the tool in it. */
export interface CommandPlace {
  readonly workspace: Workspace;
  readonly options: ToolsOptions;
  readonly shown: { readonly stream: "stdout" | "stderr"; readonly text: string }[];
  /** Of every call, in their order. */
  readonly runIds: string[];
  readonly tool: ToolCode;
  prepare(args: JsonObject): Promise<ActionDraft>;
  call(args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
}

export function commandPlace(changes: Partial<ToolsOptions> = {}): CommandPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-command-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const cwd = mkdtempSync(join(base, "workspace-"));
  const options = { ...testOptions(join(base, "spill")), ...changes };
  const tool = createRunCommandTool(options, new WorkspacePaths(options));
  const workspace = { cwd, roots: [cwd] };
  const shown: { stream: "stdout" | "stderr"; text: string }[] = [];
  const runIds: string[] = [];
  const prepare = async (args: JsonObject): Promise<ActionDraft> =>
    await tool.prepare(args, { workspace, ...quietContext, signal: new AbortController().signal });
  const call = async (args: JsonObject, signal: AbortSignal = new AbortController().signal): Promise<ToolResult> => {
    const action = { ...(await prepare(args)), digest: "0".repeat(64) };
    const context = { workspace, ...quietContext, signal };
    const staged = await tool.stage?.(action, context);
    runIds.push(staged?.settle.runId ?? "none");
    return await tool.run(action, staged, {
      ...context,
      callId: "call-1",
      settle: staged?.settle ?? { files: [] },
      onOutput: (stream, text) => shown.push({ stream, text }),
    });
  };
  return { workspace, options, shown, runIds, tool, prepare, call };
}

export function testOptions(spillDirectory: string): ToolsOptions {
  return {
    deniedPatterns: ["**/.env*", "**/.git/**", "**/*.pem"],
    allowAbsolute: true,
    home: "/home/nobody",
    ownFolders: [],
    sandbox: absentSandbox,
    spillDirectory,
    statusDirectory: join(spillDirectory, "..", "runs"),
    environment: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8" },
    shell: undefined,
    timeouts: { fileMs: 30_000, commandMs: 20_000, maxCommandMs: 60_000, searchMs: 20_000 },
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
