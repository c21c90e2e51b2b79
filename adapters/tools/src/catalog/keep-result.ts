import { createHash, randomBytes } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * Writes a call's result where the output of its session's commands is kept: whole, or not at all. Only its owner may read it.
 * @returns its path, which follows from the call
 */
export async function keepResult(folder: string, callId: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash("sha256").update(callId).digest("hex").slice(0, 16);
  const path = join(folder, `result-${name}.txt`);
  const written = `${path}.${randomBytes(6).toString("hex")}`;
  await writeFile(written, text, { mode: 0o600, flag: "wx" });
  await rename(written, path);
  return path;
}
