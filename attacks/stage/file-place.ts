import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolCatalog, ToolContext, ToolResult } from "@capstan/ports";
import { AppError, defaultDeniedPatterns, type JsonObject } from "@capstan/protocol";
import { freezeAction } from "@capstan/runtime";
import { absentSandbox, quietContext } from "@capstan/testkit";
import { createToolCatalog } from "@capstan/tools";

/** What must never be seen inside, or changed outside. */
export const canary = "CANARY-7f3a91";

/** A workspace with something outside that is worth stealing, and the real file tools. */
export interface FilePlace {
  readonly base: string;
  readonly cwd: string;
  /** A file outside that holds the canary. */
  readonly secret: string;
  readonly tools: ToolCatalog;
  write(path: string, content: string): string;
  /** Calls a tool as a model would, through check, prepare, stage and run. @returns its text, or why it was refused */
  call(name: string, args: JsonObject): Promise<Called>;
}

export type Called =
  | { readonly type: "result"; readonly result: ToolResult }
  | { readonly type: "refused"; readonly code: string; readonly text: string };

/** Makes a place, uses it and takes it away again. @param deniedPatterns  none: protected files are not protected */
export async function inFilePlace<Result>(
  use: (place: FilePlace) => Promise<Result>,
  deniedPatterns: readonly string[] = defaultDeniedPatterns,
): Promise<Result> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "capstan-attack-")));
  try {
    return await use(filePlace(base, deniedPatterns));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function filePlace(base: string, deniedPatterns: readonly string[]): FilePlace {
  const cwd = join(base, "ws");
  const secret = join(base, "outside", "secret.txt");
  for (const folder of [cwd, dirname(secret), join(base, "ws_evil")]) mkdirSync(folder, { recursive: true });
  for (const file of [secret, join(base, "ws_evil", "secret.txt"), join(base, "secret.txt")])
    writeFileSync(file, `${canary}\n`);
  const tools = createToolCatalog(toolOptions(base, deniedPatterns));
  const known = new Map<string, string>();
  const context: ToolContext = {
    ...quietContext,
    workspace: { cwd, roots: [cwd] },
    knownFile: (path) => known.get(path),
    signal: new AbortController().signal,
  };
  const call = async (name: string, args: JsonObject): Promise<Called> => {
    const tool = tools.find(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const checked = tools.check(tool, args);
    if (checked.type === "wrong") return { type: "refused", code: "tool.bad-arguments", text: checked.problem };
    try {
      const action = freezeAction(await tool.prepare(checked.arguments, context), sha256);
      const staged = await tool.stage?.(action, context);
      const settle = staged?.settle ?? { files: [] };
      const result = await tool.run(action, staged, {
        ...context,
        callId: "attack",
        settle,
        onOutput: () => undefined,
      });
      for (const file of result.observed ?? []) known.set(file.path, file.sha256);
      return { type: "result", result };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { type: "refused", code: error.code, text: error.message };
    }
  };
  return {
    base,
    cwd,
    secret,
    tools,
    call,
    write(path, content) {
      const place = join(cwd, path);
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, content);
      return place;
    },
  };
}

function toolOptions(base: string, deniedPatterns: readonly string[]): Parameters<typeof createToolCatalog>[0] {
  return {
    deniedPatterns,
    allowAbsolute: true,
    home: "/home/nobody",
    ownFolders: [],
    sandbox: absentSandbox,
    spillDirectory: join(base, "spill"),
    statusDirectory: join(base, "runs"),
    environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
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
