import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, ToolResult, ToolRunContext, ToolSource } from "@capstan/ports";
import type { Action, JsonObject } from "@capstan/protocol";
import { quietContext } from "@capstan/testkit";
import { onTestFinished } from "vitest";
import { type McpOptions, type McpServer, type OpenedMcp, openMcpSource } from "../../src/index.ts";

const modules = join(import.meta.dirname, "../../../../node_modules/@modelcontextprotocol");

/** The servers of the protocol's makers. */
export const realServers = {
  everything: join(modules, "server-everything/dist/index.js"),
  filesystem: join(modules, "server-filesystem/dist/index.js"),
  memory: join(modules, "server-memory/dist/index.js"),
} as const;

export const hostileServer: string = join(import.meta.dirname, "hostile-server.mjs");

/** A server that is a Node script. */
export function scriptServer(name: string, args: readonly string[], changes: Partial<McpServer> = {}): McpServer {
  return {
    name,
    place: {
      type: "program",
      command: process.execPath,
      args,
      env: {},
      cwd: null,
      hosts: [],
      writes: false,
    },
    enabledTools: null,
    disabledTools: [],
    deferTools: null,
    sampling: false,
    startupTimeoutMs: 60_000,
    toolTimeoutMs: 60_000,
    ...changes,
  };
}

export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "capstan-mcp-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Programs run as they are: what the sandbox keeps from them is tried with the real one, in `host`. */
const openSandbox: Sandbox = {
  test: async () => await Promise.resolve({ type: "none", reason: "a test" }),
  enter: async ({ file, args, environment }) =>
    await Promise.resolve({
      file,
      args,
      environment,
      descriptors: [],
      finish: async () => await Promise.resolve({ runsLater: [], quarantined: [], refusedHosts: [] }),
    }),
  endSession: async () => await Promise.resolve(),
};

/** @param folder  workspace and pins lie there, and outlive a source */
export async function openServers(
  servers: readonly McpServer[],
  folder: string = newFolder(),
  more: Pick<McpOptions, "sampler" | "startLater"> = {},
): Promise<OpenedMcp> {
  const opened = await openMcpSource(servers, {
    sandbox: openSandbox,
    workspace: { cwd: folder, roots: [folder] },
    searchPath: "/usr/local/bin:/usr/bin:/bin",
    version: "1.0.0",
    pinsFolder: join(folder, "pins"),
    outputBytes: 20_000,
    definitionBytes: 20_000,
    ...more,
  });
  onTestFinished(async () => await opened.source.close());
  return opened;
}

export function namesOf(source: ToolSource): readonly string[] {
  return source.tools().map(({ definition }) => definition.name);
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onOutput?: ToolRunContext["onOutput"];
  readonly ask?: NonNullable<ToolRunContext["ask"]>;
}

/** Calls a tool as the runtime does: prepared, then run. */
export async function callTool(
  source: ToolSource,
  name: string,
  args: JsonObject,
  options: CallOptions = {},
): Promise<ToolResult> {
  const tool = source.tools().find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}: there are ${namesOf(source).join(", ")}`);
  const { signal = new AbortController().signal, onOutput = () => undefined, ask } = options;
  const context = { ...quietContext, workspace: { cwd: "/", roots: ["/"] }, signal };
  const action: Action = { ...(await tool.prepare(args, context)), digest: "0".repeat(64) };
  const settle = { files: [] };
  return await tool.run(action, undefined, {
    ...context,
    callId: "call-1",
    settle,
    onOutput,
    ...(ask === undefined ? {} : { ask }),
  });
}
