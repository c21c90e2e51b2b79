import { readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** File access as a careless agent has it: names are tidied up and opened. */
export function readNaively(cwd: string, path: string): string {
  return readFileSync(naivePath(cwd, path), "utf8");
}

export function writeNaively(cwd: string, path: string, content: string): void {
  writeFileSync(naivePath(cwd, path), content);
}

function naivePath(cwd: string, path: string): string {
  if (path.startsWith("file://")) return fileURLToPath(path);
  if (path.startsWith("~/")) return resolve(homedir(), path.slice(2));
  const tidied = path
    .replaceAll("\\", "/")
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return resolve(cwd, tidied.replace(/\0.*$/s, "").normalize("NFKC").trim());
}
