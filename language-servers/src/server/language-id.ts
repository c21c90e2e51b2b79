import { extname } from "node:path";

/** What the protocol calls the language of a file, where that is not its ending. */
const ids: Readonly<Record<string, string>> = {
  ".cjs": "javascript",
  ".cts": "typescript",
  ".h": "c",
  ".hpp": "cpp",
  ".js": "javascript",
  ".jsx": "javascriptreact",
  ".mjs": "javascript",
  ".mts": "typescript",
  ".py": "python",
  ".pyi": "python",
  ".rb": "ruby",
  ".rs": "rust",
  ".sh": "shellscript",
  ".ts": "typescript",
  ".tsx": "typescriptreact",
};

export function languageId(path: string): string {
  const ending = extname(path).toLowerCase();
  return ids[ending] ?? (ending === "" ? "plaintext" : ending.slice(1));
}
