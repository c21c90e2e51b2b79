import { type ChildProcess, spawn } from "node:child_process";
import { messageOf } from "@capstan/protocol";
import { selfTestOutputBytes, selfTestTimeoutMs } from "../limits.ts";

export type BoundedEnd =
  | { readonly type: "ended"; readonly exitCode: number; readonly output: Uint8Array; readonly errors: string }
  | { readonly type: "failed"; readonly reason: string };

/** Runs a program that nothing is known of: whatever it does, this resolves in time, and its process group is ended. */
export async function runBounded(
  file: string,
  args: readonly string[],
  descriptors: readonly number[],
): Promise<BoundedEnd> {
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      stdio: ["ignore", "pipe", "pipe", ...descriptors],
      env: {},
      cwd: "/",
      detached: true,
    });
  } catch (error) {
    // Some reasons are thrown at once, such as a path that leads through a file; others come as an event.
    return notStarted(file, error);
  }
  return await endOf(child, file);
}

async function endOf(child: ChildProcess, file: string): Promise<BoundedEnd> {
  return await new Promise((resolve) => {
    const chunks = { output: [] as Uint8Array[], errors: [] as Uint8Array[] };
    let size = 0;
    const end = (result: BoundedEnd): void => {
      clearTimeout(timer);
      endGroup(child.pid);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => {
      end({ type: "failed", reason: `${file} did not come to an end within ${selfTestTimeoutMs / 1000} s` });
    }, selfTestTimeoutMs);
    const keep = (kept: Uint8Array[]) => (chunk: Uint8Array) => {
      size += chunk.length;
      if (size > selfTestOutputBytes) end({ type: "failed", reason: `${file} writes without an end` });
      else kept.push(chunk);
    };
    child.stdout?.on("data", keep(chunks.output));
    child.stderr?.on("data", keep(chunks.errors));
    child.once("error", (error) => end(notStarted(file, error)));
    child.once("close", (exitCode) => {
      const errors = Buffer.concat(chunks.errors).toString("utf8").trim().split("\n").slice(0, 3).join(" ");
      end({ type: "ended", exitCode: exitCode ?? -1, output: Buffer.concat(chunks.output), errors });
    });
  });
}

function notStarted(file: string, error: unknown): BoundedEnd {
  return { type: "failed", reason: `${file} cannot be started: ${messageOf(error)}` };
}

function endGroup(group: number | undefined): void {
  if (group === undefined) return;
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
