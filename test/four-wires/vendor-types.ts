import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Vendor } from "./talk.ts";

const root = join(import.meta.dirname, "../..");

/**
 * What each vendor publishes as the body of a streamed request. Gemini's SDK has types for the parts of the body only: its own
 * request puts them elsewhere. Its field names are those of the REST API, and its enums are strings there.
 */
const publishedTypes: Readonly<Record<Vendor, string>> = {
  anthropic: 'import("@anthropic-ai/sdk/resources/messages").MessageCreateParamsStreaming',
  openai: 'import("openai/resources/responses/responses").ResponseCreateParamsStreaming',
  "openai-chat": 'import("openai/resources/chat/completions").ChatCompletionCreateParamsStreaming',
  google: `Plain<{
  contents: Google.Content[]; systemInstruction?: Google.Content; tools?: Google.Tool[]; toolConfig?: Google.ToolConfig;
  generationConfig?: Google.GenerationConfig; safetySettings?: Google.SafetySetting[]; cachedContent?: string }>`,
};

const prelude = `import type * as Google from "@google/genai";
type Plain<T> = unknown extends T ? T : T extends string ? \`\${T}\` : T extends readonly (infer Item)[] ? Plain<Item>[]
  : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
`;

const settings = {
  compilerOptions: {
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  files: ["bodies.ts"],
};

/** A request as it was sent. */
export interface SentBody {
  readonly vendor: Vendor;
  readonly body: unknown;
}

/**
 * Lets the compiler compare request bodies with the vendors' published types. A body is written down as a literal, in which
 * the compiler refuses unknown fields as well.
 * @returns what it refused, a line for each complaint; `bodies[3]` is the fourth body
 */
export function refusedByTypes(bodies: readonly SentBody[]): readonly string[] {
  // Inside the repository, so that the vendors' packages are found.
  const folder = mkdtempSync(join(root, "node_modules", ".capstan-types-"));
  try {
    const lines = bodies.map(
      ({ vendor, body }, at) => `export const body${at}: ${vendor.replace("-", "_")} = ${JSON.stringify(body)};`,
    );
    const names = Object.entries(publishedTypes).map(([name, type]) => `type ${name.replace("-", "_")} = ${type};`);
    writeFileSync(join(folder, "bodies.ts"), `${prelude}${names.join("\n")}\n${lines.join("\n")}\n`);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    const compiler = join(root, "node_modules", ".bin", "tsc");
    const { status, stdout, stderr, error } = spawnSync(compiler, ["-p", folder, "--pretty", "false"], {
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    });
    if (error !== undefined) throw error;
    const complaints = `${stdout}${stderr}`.split("\n").filter((line) => /error TS\d+/.test(line));
    if (status !== 0 && complaints.length === 0) throw new Error(`the compiler failed: ${stdout}${stderr}`);
    const firstLine = prelude.split("\n").length + names.join("\n").split("\n").length;
    return complaints.map((line) => named(line, firstLine));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A complaint's line in the file is the place of its body. */
function named(complaint: string, firstLine: number): string {
  const [, line = "0", message = complaint] = /\((\d+),\d+\): (.*)$/.exec(complaint) ?? [];
  return `bodies[${Number(line) - firstLine}]: ${message}`;
}
