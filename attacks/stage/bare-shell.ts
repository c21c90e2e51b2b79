import { spawn } from "node:child_process";

/** What a command of an agent without a sandbox brought: everything it wrote, and how it ended. */
export interface BareEnd {
  readonly code: number | null;
  readonly output: string;
}

/** No command here takes as long; what does is killed, with all of its group. */
const limitMs = 30_000;

/** Runs a script as a careless agent does: by spawning a shell in the workspace, with the environment it is given. */
export function runBare(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<BareEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", script], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const pieces: Buffer[] = [];
    const timer = setTimeout(() => endGroup(child.pid), limitMs);
    child.stdout.on("data", (piece: Buffer) => pieces.push(piece));
    child.stderr.on("data", (piece: Buffer) => pieces.push(piece));
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      endGroup(child.pid);
      resolve({ code, output: Buffer.concat(pieces).toString("utf8") });
    });
  });
}

/** The group of a process that this file started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}
