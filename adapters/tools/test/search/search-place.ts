import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolResult } from "@capstan/ports";
import type { ToolCode } from "../../src/tool-entry.ts";
import type { ActionDraft, JsonObject, Workspace } from "@capstan/protocol";
import { onTestFinished } from "vitest";
import type { ToolsOptions } from "../../src/options.ts";
import { WorkspacePaths } from "../../src/paths/workspace-paths.ts";
import { testOptions } from "../run-command/call-command.ts";
import { quietContext } from "@capstan/testkit";

/** A real tree with a tool that looks at it. */
export interface SearchPlace {
  readonly cwd: string;
  readonly workspace: Workspace;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  prepare(args: JsonObject): Promise<ActionDraft>;
  call(args: JsonObject, signal?: AbortSignal): Promise<ToolResult>;
}

export function searchPlace(
  createTool: (options: ToolsOptions, paths: WorkspacePaths) => ToolCode,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  changes: Partial<ToolsOptions> = {},
): SearchPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-search-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const place = placeIn(base, createTool, changes);
  place.write(files);
  return place;
}

/** The same without the end of the test as its end: for properties, which make many. */
export function placeIn(
  base: string,
  createTool: (options: ToolsOptions, paths: WorkspacePaths) => ToolCode,
  changes: Partial<ToolsOptions> = {},
): SearchPlace {
  const cwd = join(base, "workspace");
  mkdirSync(cwd, { recursive: true });
  const options = { ...testOptions(join(base, "spill")), ...changes };
  const tool = createTool(options, new WorkspacePaths(options));
  const workspace = { cwd, roots: [cwd] };
  const context = { workspace, ...quietContext, signal: new AbortController().signal };
  const prepare = async (args: JsonObject): Promise<ActionDraft> => await tool.prepare(args, context);
  return {
    cwd,
    workspace,
    write: (files) => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true });
        writeFileSync(join(cwd, path), content);
      }
    },
    prepare,
    call: async (args, signal = context.signal) =>
      await tool.run({ ...(await prepare(args)), digest: "0".repeat(64) }, undefined, {
        ...context,
        signal,
        callId: "call-1",
        settle: { files: [] },
        onOutput: () => undefined,
      }),
  };
}
