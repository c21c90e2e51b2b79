import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Staged, ToolResult } from "@capstan/ports";
import type { ToolCode } from "../src/tool-entry.ts";
import { type Action, AppError, canonicalJson, type JsonObject, type Workspace } from "@capstan/protocol";
import { onTestFinished } from "vitest";
import type { ToolsOptions } from "../src/options.ts";
import { WorkspacePaths } from "../src/paths/workspace-paths.ts";
import { quietContext, absentSandbox } from "@capstan/testkit";

/** A real directory with a workspace in it, a neighbour outside, and the memory a session keeps of files the model has seen. */
export interface WorkspaceFixture {
  /** Holds `ws`, `spill` and whatever lies outside. */
  readonly base: string;
  readonly workspace: Workspace;
  readonly options: ToolsOptions;
  readonly paths: WorkspacePaths;
  readonly known: Map<string, string>;
  /** Writes a file below `ws`, making directories. */
  readonly write: (path: string, content: string | Uint8Array) => string;
  readonly read: (path: string) => string;
  /** prepare, stage and run, as the runtime does; observations go to `known`. A refusal becomes its code. */
  readonly call: (tool: ToolCode, args: JsonObject) => Promise<Called>;
  readonly prepare: (tool: ToolCode, args: JsonObject) => Promise<Action>;
  readonly stage: (tool: ToolCode, action: Action) => Promise<Staged | undefined>;
  readonly run: (tool: ToolCode, action: Action, staged: Staged | undefined) => Promise<ToolResult>;
}

export type Called =
  | { readonly type: "refused"; readonly code: string; readonly message: string }
  | { readonly type: "result"; readonly result: ToolResult };

export function workspaceFixture(overrides: Partial<ToolsOptions> = {}): WorkspaceFixture {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-tools-")));
  // A hook of this module would count for the first file that loads it alone: test files share their modules.
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "ws");
  mkdirSync(root);
  const options = { ...testOptions(join(base, "spill")), ...overrides };
  const paths = new WorkspacePaths(options);
  const workspace = { cwd: root, roots: [root] };
  const known = new Map<string, string>();
  const context = {
    workspace,
    ...quietContext,
    knownFile: (path: string) => known.get(path),
    signal: new AbortController().signal,
    callId: "call-1",
    onOutput: () => undefined,
  };
  const prepare = async (tool: ToolCode, args: JsonObject): Promise<Action> => {
    const draft = await tool.prepare(args, context);
    return { ...draft, digest: createHash("sha256").update(canonicalJson(draft)).digest("hex") };
  };
  const stage = async (tool: ToolCode, action: Action): Promise<Staged | undefined> =>
    await tool.stage?.(action, context);
  const run = async (tool: ToolCode, action: Action, staged: Staged | undefined): Promise<ToolResult> => {
    const result = await tool.run(action, staged, { ...context, settle: staged?.settle ?? { files: [] } });
    for (const { path, sha256 } of result.observed ?? []) known.set(path, sha256);
    return result;
  };
  return {
    base,
    workspace,
    options,
    paths,
    known,
    write(path, content) {
      const place = join(root, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      return place;
    },
    read: (path) => readFileSync(join(root, path), "utf8"),
    prepare,
    stage,
    run,
    call: async (tool, args) =>
      await answered(async () => {
        const action = await prepare(tool, args);
        return await run(tool, action, await stage(tool, action));
      }),
  };
}

/** `code` of a failure, text of a success. */
export function outcomeOf(called: Called): string {
  if (called.type === "refused") return called.code;
  return called.result.status === "failed" ? called.result.code : called.result.content;
}

/** The message the model reads. */
export function textOf(called: Called): string {
  return called.type === "refused" ? called.message : called.result.content;
}

export function sha(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

async function answered(work: () => Promise<ToolResult>): Promise<Called> {
  try {
    return { type: "result", result: await work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { type: "refused", code: error.code, message: error.message };
  }
}

function testOptions(spillDirectory: string): ToolsOptions {
  return {
    deniedPatterns: ["**/.env", "**/.env.*", "**/.ssh/**", "**/.git/**", "**/*.pem", "id_rsa*"],
    allowAbsolute: true,
    home: "/home/nobody",
    ownFolders: [],
    sandbox: absentSandbox,
    spillDirectory,
    statusDirectory: join(spillDirectory, "..", "runs"),
    environment: {},
    shell: undefined,
    timeouts: { fileMs: 30_000, commandMs: 30_000, maxCommandMs: 60_000, searchMs: 20_000 },
    limits: {
      outputBytes: 100 * 1024,
      readBytes: 200 * 1024,
      scanBytes: 2 * 1024 * 1024,
      patchBytes: 512 * 1024,
      writeBytes: 1024 * 1024,
      searchResults: 200,
      globResults: 1000,
    },
  };
}
