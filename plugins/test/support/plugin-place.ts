import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox, ToolResult, ToolSource } from "@capstan/ports";
import type { Action, JsonObject } from "@capstan/protocol";
import { quietContext } from "@capstan/testkit";
import { onTestFinished } from "vitest";
import { type OpenedPlugins, openPlugins, type OpenOptions } from "../../src/index.ts";

/** Programs run as they are: what the sandbox keeps from plugins is tried with the real one, by the binary. */
const openSandbox = (temporary: string): Sandbox => ({
  test: async () => await Promise.resolve({ type: "none", reason: "a test" }),
  enter: async ({ file, args, environment }) =>
    await Promise.resolve({
      file,
      args,
      environment: { ...environment, TMPDIR: temporary },
      descriptors: [],
      finish: async () => await Promise.resolve({ runsLater: [], quarantined: [], refusedHosts: [] }),
    }),
  endSession: async () => await Promise.resolve(),
});

/** A user's data directory and a workspace. */
export class PluginPlace {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "capstan-plugins-")));

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  /** @param path  below the data directory */
  write(path: string, text: string, mode = 0o600): void {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text);
    chmodSync(file, mode);
  }

  async open(changes: Partial<OpenOptions> = {}): Promise<OpenedPlugins> {
    const opened = await openPlugins({
      places: { home: this.folder, directories: [], trust: { trusted: false, approved: new Map() } },
      trusted: [],
      version: "0.1.0",
      isConfined: true,
      settings: {},
      outputBytes: 20_000,
      startupTimeoutMs: 60_000,
      toolTimeoutMs: 60_000,
      sandbox: openSandbox(this.folder),
      workspace: { cwd: this.folder, roots: [this.folder] },
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
      ...changes,
    });
    if (opened === null) throw new Error("there is no plugin");
    onTestFinished(async () => await opened.source.close());
    return opened;
  }
}

/** A plugin's text: `body` is what `initialize` does. */
export function pluginText(name: string, body: string, more = ""): string {
  return `export default { name: ${JSON.stringify(name)}, version: "1.0.0", ${more} async initialize(context) { ${body} } };\n`;
}

/** A tool that answers with what an expression gives. */
export function toolText(name: string, expression: string): string {
  return `context.registerTool({ name: ${JSON.stringify(name)}, description: "Does ${name}", effect: "read",
    inputSchema: { type: "object", properties: {} }, execute: async (args, call) => ${expression} });`;
}

export function namesOf(source: ToolSource): readonly string[] {
  return source.tools().map(({ definition }) => definition.name);
}

/** Calls a tool as the runtime does: prepared, then run. */
export async function callTool(
  source: ToolSource,
  name: string,
  { args = {}, signal = new AbortController().signal, onReport = () => undefined }: CallOptions = {},
): Promise<ToolResult> {
  const tool = source.tools().find(({ definition }) => definition.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}: there are ${namesOf(source).join(", ")}`);
  const context = { ...quietContext, workspace: { cwd: "/", roots: ["/"] }, signal };
  const action: Action = { ...(await tool.prepare(args, context)), digest: "0".repeat(64) };
  const onOutput = (_stream: string, text: string): void => onReport(text);
  return await tool.run(action, undefined, { ...context, callId: "call-1", settle: { files: [] }, onOutput });
}

interface CallOptions {
  readonly args?: JsonObject;
  readonly signal?: AbortSignal;
  /** Receives what it reports. */
  readonly onReport?: (text: string) => void;
}

/** Numbers of the processes below this one that run a plugin. */
export function pluginProcesses(): readonly string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      const [, parent] = /^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return parent === String(process.pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("registerService");
    } catch {
      return false;
    }
  });
}
