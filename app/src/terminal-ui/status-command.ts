import { spawn } from "node:child_process";
import type { JsonObject } from "@capstan/protocol";

/** A status line that comes later is of no use. */
const limitMs = 300;
/** More than a terminal is wide. */
const limitBytes = 4096;

/**
 * The user's own command for the status line, as `[tui] status_command` has it: it reads what is known of the session as JSON, and the
 * first line that it writes is shown.
 * @returns `null`: it failed, took too long, or wrote nothing
 */
export async function runStatusCommand(command: string, cwd: string, input: JsonObject): Promise<string | null> {
  return await new Promise((resolve) => {
    // A group of its own: what it has started ends with it.
    const child = spawn("/bin/sh", ["-c", command], { cwd, stdio: ["pipe", "pipe", "ignore"], detached: true });
    let written = "";
    const end = (line: string | null): void => {
      clearTimeout(timer);
      resolve(line);
    };
    const timer = setTimeout(() => {
      endGroup(child.pid);
      end(null);
    }, limitMs);
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      written = (written + piece).slice(0, limitBytes);
    });
    child.once("error", () => end(null));
    child.once("close", (code) => {
      const [line = ""] = written.split("\n");
      end(code === 0 && line.trim() !== "" ? line : null);
    });
    // It need not read.
    child.stdin.on("error", () => undefined);
    child.stdin.end(JSON.stringify(input));
  });
}

function endGroup(id: number | undefined): void {
  if (id === undefined) return;
  try {
    process.kill(-id, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
