import type { FoundPlugin } from "./find/plugin-file.ts";
import type { SentFile } from "./process/plugin-messages.ts";

/** A plugin's files as its process gets them: the very bytes that were hashed, TypeScript as JavaScript. @throws Error for TypeScript that cannot be read */
export async function sentFiles({ files }: FoundPlugin): Promise<readonly SentFile[]> {
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
