import type { ProgramTool, ProgramToolContext, ProgramToolResult } from "@capstan/ports";
import type { JsonObject } from "@capstan/protocol";
import { fitsRange } from "./engine-range.ts";
import type { FoundPlugin } from "./find/plugin-file.ts";
import { maxReportCharacters } from "./limits.ts";
import { PluginProcess } from "./process/plugin-process.ts";
import type { PluginSurroundings } from "./process/start-plugin.ts";
import { type PluginManifest, type PluginTool, readManifest, readParts, readResult } from "./read-plugin.ts";
import { sentPlugin } from "./sent-files.ts";

export interface PluginOptions extends PluginSurroundings {
  /** Of Capstan. */
  readonly version: string;
  /** Until a plugin was loaded, and until it was initialized. */
  readonly startupTimeoutMs: number;
  /** Until a call of a tool must have its result. */
  readonly toolTimeoutMs: number;
}

/** A plugin whose code was loaded, in its process. */
export class RunningPlugin {
  readonly found: FoundPlugin;
  readonly isTrusted: boolean;
  readonly manifest: PluginManifest;
  /** What of it is not used, for people. */
  readonly remarks: readonly string[];
  /** Why it ended, for people; resolves once. */
  readonly over: Promise<string>;
  readonly #process: PluginProcess;
  readonly #options: PluginOptions;
  #tools: readonly ProgramTool[] = [];
  #services: JsonObject = {};

  private constructor(process: PluginProcess, parts: Loaded, options: PluginOptions) {
    this.found = parts.found;
    this.isTrusted = parts.isTrusted;
    this.manifest = parts.manifest;
    this.remarks = parts.remarks;
    this.over = process.over;
    this.#process = process;
    this.#options = options;
  }

  /** @throws Error in words for people; then nothing of it runs */
  static async load(found: FoundPlugin, isTrusted: boolean, options: PluginOptions): Promise<RunningPlugin> {
    const { files, entry, remarks } = await sentPlugin(found, isTrusted);
    const process = await PluginProcess.start(isTrusted, options);
    try {
      const said = await process.request({ type: "load", files, entry }, { limitMs: options.startupTimeoutMs });
      const manifest = readManifest(said);
      const { engine } = manifest;
      if (engine !== undefined && !fitsRange(options.version, engine))
        throw new Error(`it is for Capstan ${engine}, and this is ${options.version}`);
      return new RunningPlugin(process, { found, isTrusted, remarks, manifest }, options);
    } catch (error) {
      await process.close();
      throw error;
    }
  }

  get tools(): readonly ProgramTool[] {
    return this.#tools;
  }

  get services(): JsonObject {
    return this.#services;
  }

  /** @throws Error in words for people */
  async initialize(config: JsonObject, services: JsonObject): Promise<void> {
    const { cwd, roots } = this.#options.workspace;
    const said = await this.#process.request(
      { type: "initialize", config, services, workspace: { cwd, roots: [...roots] } },
      { limitMs: this.#options.startupTimeoutMs },
    );
    const { tools, services: registered } = readParts(said);
    this.#tools = tools.map((tool) => this.#adapt(tool));
    this.#services = registered;
  }

  async close(): Promise<void> {
    await this.#process.close();
  }

  #adapt({ effect, ...tool }: PluginTool): ProgramTool {
    return {
      ...tool,
      // What a plugin says of its own tools grants nothing, unless the user trusts it.
      effect: this.isTrusted ? effect : "execute",
      execute: async (args, context) => await this.#call(tool.name, args, context),
    };
  }

  async #call(tool: string, args: JsonObject, context: ProgramToolContext): Promise<ProgramToolResult> {
    const { callId, workspace, signal, report } = context;
    const shown: JsonObject = { callId, workspace: { cwd: workspace.cwd, roots: [...workspace.roots] } };
    const value = await this.#process.request(
      { type: "call", tool, args, context: shown },
      { limitMs: this.#options.toolTimeoutMs, signal, onReport: (text) => report(text.slice(0, maxReportCharacters)) },
    );
    return readResult(value);
  }
}

interface Loaded {
  readonly found: FoundPlugin;
  readonly isTrusted: boolean;
  readonly remarks: readonly string[];
  readonly manifest: PluginManifest;
}
