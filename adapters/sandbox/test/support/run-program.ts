import { spawn } from "node:child_process";
import type { SandboxedProgram, SandboxReport } from "@capstan/ports";

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly report: SandboxReport;
}

export async function runProgram(program: SandboxedProgram): Promise<Ended> {
  const child = spawn(program.file, program.args, {
    env: program.environment,
    stdio: ["ignore", "pipe", "pipe", ...program.descriptors],
    detached: true,
  });
  const chunks: Uint8Array[] = [];
  child.stdout?.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const report = await program.finish();
  return { code, output: Buffer.concat(chunks).toString("utf8"), report };
}
