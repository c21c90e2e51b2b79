import { posix } from "node:path";
import { declaredFile } from "./declared/declared-plugin.ts";
import type { FoundPlugin } from "./find/plugin-file.ts";
import type { SentFile } from "./process/plugin-messages.ts";

/** What the process of a plugin is given. */
export interface SentPlugin {
  readonly files: readonly SentFile[];
  /** The file that is loaded. */
  readonly entry: string;
  /** What of it is not used, for people. */
  readonly remarks: readonly string[];
}

/**
 * A plugin's files as its process gets them: the very bytes that were hashed, TypeScript as JavaScript, and code in place of a plugin that is written as data.
 * @throws Error for what cannot be read
 */
export async function sentPlugin(found: FoundPlugin, isTrusted: boolean): Promise<SentPlugin> {
  const files = await sentFiles(found);
  if (!declaredFile.test(found.entry)) return { files, entry: found.entry, remarks: [] };
  const { readDeclared } = await import("./declared/read-declared.ts");
  const { declaredScript } = await import("./declared/declared-script.ts");
  const text = found.files.find(({ path }) => path === found.entry)?.bytes.toString("utf8") ?? "";
  const declared = await readDeclared(found.entry, text, found.id);
  const isLeft = ({ work }: (typeof declared.tools)[number]): boolean => work.kind === "http" && !isTrusted;
  const left = declared.tools.filter(isLeft).map(({ name }) => name);
  const code = declaredScript({ ...declared, tools: declared.tools.filter((tool) => !isLeft(tool)) });
  // Beside its own file, so that what that names is found from there.
  const entry = posix.join(posix.dirname(found.entry), "capstan-declared-plugin.mjs");
  return {
    files: [...files, { path: entry, base64: Buffer.from(code).toString("base64") }],
    entry,
    remarks: [
      ...declared.unused,
      ...(left.length === 0
        ? []
        : [`${left.join(", ")} (there is no network in the sandbox; plugins.trusted opens it)`]),
    ],
  };
}

async function sentFiles({ files }: FoundPlugin): Promise<readonly SentFile[]> {
  const isTyped = files.some(({ path }) => isTypeScript(path));
  const transform = isTyped ? await transformer() : (text: string): string => text;
  return files.map(({ path, bytes }) => {
    const sent = isTypeScript(path) ? Buffer.from(transform(bytes.toString("utf8"), path)) : bytes;
    return { path, base64: sent.toString("base64") };
  });
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path) && !/\.d\.[cm]?ts$/.test(path) && !path.includes("node_modules/");
}

/** What a dynamic `import` in TypeScript becomes. */
const importing = "const jitiImport=(name)=>import(require.resolve(name));";

async function transformer(): Promise<(text: string, path: string) => string> {
  const { createJiti } = await import("jiti");
  const jiti = createJiti(import.meta.url, { fsCache: false });
  return (text, path) => {
    try {
      return importing + jiti.transform({ source: text, filename: `/${path}`, ts: true });
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
}
