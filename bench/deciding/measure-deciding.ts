import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * CPU milliseconds of one decision about a command, under many rules of all kinds. Measured in a bundle, as users have it: what
 * carries the sources out for the other measurements adds a call to every function.
 */
export async function measureDeciding(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-deciding-"));
  try {
    const outfile = join(folder, "decide.mjs");
    const entryPoints = [join(import.meta.dirname, "decide.ts")];
    await build({
      entryPoints,
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      conditions: ["source"],
      logLevel: "error",
    });
    return Number(execFileSync(process.execPath, [outfile], { encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
