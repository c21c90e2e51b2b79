import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox, Tool, ToolCatalog, ToolContext, ToolResult } from "@capstan/ports";
import {
  type Action,
  AppError,
  defaultDeniedPatterns,
  type JsonObject,
  type PermissionMode,
  type SandboxSettings,
} from "@capstan/protocol";
import { freezeAction } from "@capstan/runtime";
import { createSandbox, type SandboxLimits } from "@capstan/sandbox";
import { absentSandbox, noSandbox, quietContext } from "@capstan/testkit";
import { builtInSource, composeCatalog, type ToolsOptions } from "@capstan/tools";

/** What must never be seen inside, or changed outside. */
export const canary = "CANARY-7f3a91";

/** A workspace with something outside that is worth stealing, and the real file tools. */
export interface FilePlace {
  readonly base: string;
  readonly cwd: string;
  /** A file outside that holds the canary. */
  readonly secret: string;
  readonly home: string;
  readonly sandbox: SandboxSettings;
  write(path: string, content: string): string;
  /** Calls a tool as a model would, through check, prepare, stage and run. @returns its text, or why it was refused */
  call(name: string, args: JsonObject): Promise<Called>;
  /** What commands shared is gone; the next one is that of another start. */
  restart(): Promise<void>;
  /** Check and prepare alone. */
  prepare(name: string, args: JsonObject): Promise<Prepared>;
}

export type Prepared =
  | { readonly type: "action"; readonly action: Action }
  | { readonly type: "refused"; readonly code: string; readonly text: string };

export type Called =
  | { readonly type: "result"; readonly result: ToolResult }
  | { readonly type: "refused"; readonly code: string; readonly text: string };

/** What stands in an attempt's way, all of it unless said otherwise. */
export interface PlaceOptions {
  /** None: protected files are not protected. */
  readonly deniedPatterns?: readonly string[];
  /** Commands run in the real sandbox; without it nothing keeps them apart. */
  readonly confined?: boolean;
  readonly limits?: Partial<SandboxLimits>;
  readonly mode?: PermissionMode;
  /** A workspace that is there already, in place of an empty one. */
  readonly workspace?: string;
}

/** Makes a place, uses it and takes it away again. */
export async function inFilePlace<Result>(
  use: (place: FilePlace) => Promise<Result>,
  options: PlaceOptions = {},
): Promise<Result> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-attack-")));
  try {
    return await use(await filePlace(base, options));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function filePlace(base: string, options: PlaceOptions): Promise<FilePlace> {
  const cwd = options.workspace ?? join(base, "ws");
  const home = join(base, "home");
  const secret = join(base, "outside", "secret.txt");
  for (const folder of [cwd, home, dirname(secret), join(base, "ws_evil")]) mkdirSync(folder, { recursive: true });
  for (const file of [secret, join(base, "ws_evil", "secret.txt"), join(base, "secret.txt")])
    writeFileSync(file, `${canary}\n`);
  const { deniedPatterns = defaultDeniedPatterns } = options;
  const sandbox = options.confined === true ? realSandbox(base, deniedPatterns, options.limits) : absentSandbox;
  const settings = options.confined === true ? await enforced(sandbox) : noSandbox;
  const tools = composeCatalog([builtInSource(toolOptions(base, deniedPatterns, sandbox))]);
  const caller = new Caller(tools, {
    ...quietContext,
    mode: options.mode ?? "default",
    sandbox: settings,
    workspace: { cwd, roots: [cwd] },
    signal: new AbortController().signal,
  });
  return {
    base,
    cwd,
    home,
    secret,
    sandbox: settings,
    call: (name, args) => caller.call(name, args),
    prepare: (name, args) => caller.prepare(name, args),
    restart: () => sandbox.endSession(""),
    write(path, content) {
      const place = join(cwd, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      return place;
    },
  };
}

/** Calls tools as the runtime does. */
class Caller {
  readonly #tools: ToolCatalog;
  readonly #context: ToolContext;
  readonly #known = new Map<string, string>();

  constructor(tools: ToolCatalog, context: Omit<ToolContext, "knownFile">) {
    this.#tools = tools;
    this.#context = { ...context, knownFile: (path) => this.#known.get(path) };
  }

  async prepare(name: string, args: JsonObject): Promise<Prepared> {
    const tool = this.#find(name);
    const checked = this.#tools.check(tool, args);
    if (checked.type === "wrong") return { type: "refused", code: "tool.bad-arguments", text: checked.problem };
    return await orRefused(async () => {
      const action = freezeAction(await tool.prepare(checked.arguments, this.#context), sha256);
      return { type: "action", action };
    });
  }

  async call(name: string, args: JsonObject): Promise<Called> {
    const prepared = await this.prepare(name, args);
    if (prepared.type === "refused") return prepared;
    const tool = this.#find(name);
    const { action } = prepared;
    return await orRefused(async () => {
      const staged = await tool.stage?.(action, this.#context);
      const settle = staged?.settle ?? { files: [] };
      const run = { ...this.#context, callId: "attack", settle, onOutput: () => undefined };
      const result = await tool.run(action, staged, run);
      for (const file of result.observed ?? []) this.#known.set(file.path, file.sha256);
      return { type: "result", result };
    });
  }

  #find(name: string): Tool {
    const tool = this.#tools.find(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    return tool;
  }
}

async function orRefused<Result>(
  work: () => Promise<Result>,
): Promise<Result | { readonly type: "refused"; readonly code: string; readonly text: string }> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { type: "refused", code: error.code, text: error.message };
  }
}

function realSandbox(
  base: string,
  deniedPatterns: readonly string[],
  limits: Partial<SandboxLimits> | undefined,
): Sandbox {
  return createSandbox({
    home: join(base, "home"),
    stateDirectory: join(base, "data", "sandbox"),
    hidden: [join(base, "data")],
    deniedPatterns,
    searchPath,
    node: process.execPath,
    ...(limits === undefined ? {} : { limits }),
  });
}

async function enforced(sandbox: Sandbox): Promise<SandboxSettings> {
  const isolation = await sandbox.test();
  if (isolation.type !== "enforced") throw new Error(`there is no sandbox here: ${JSON.stringify(isolation)}`);
  return { isolation, autoRun: true, withoutIsolation: "refuse", hosts: [] };
}

/** Where programs are. */
const searchPath = "/usr/local/bin:/usr/bin:/bin";

function toolOptions(base: string, deniedPatterns: readonly string[], sandbox: Sandbox): ToolsOptions {
  return {
    deniedPatterns,
    allowAbsolute: true,
    home: join(base, "home"),
    ownFolders: [join(base, "data")],
    sandbox,
    spillDirectory: join(base, "data", "spill"),
    statusDirectory: join(base, "data", "runs"),
    environment: { PATH: searchPath, HOME: join(base, "home"), LANG: "C.UTF-8" },
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

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What came back, as one text. */
export function textOf(called: Called): string {
  return called.type === "result" ? called.result.content : `${called.code}: ${called.text}`;
}
