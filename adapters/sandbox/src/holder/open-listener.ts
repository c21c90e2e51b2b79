import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Server } from "node:net";
import { openAnonymousProgram } from "../launch/anonymous-file.ts";
import { holderStartTimeoutMs } from "../limits.ts";
import type { SystemCalls } from "../seccomp/syscall-numbers.ts";
import type { EnteredProgram } from "./entered-program.ts";
import { listenerProgram } from "./own-programs.ts";

/**
 * A listener in a holder's network, held by this process alone: nothing stays in the holder. What it accepts belongs to that network,
 * however it is used here.
 * @param enter  how the program in the first free descriptor is started in the holder
 * @param directory  where nameless files can be made
 * @throws Error when the holder cannot be entered, or what entered it says nothing
 */
export async function openListener(enter: EnteredProgram, calls: SystemCalls, directory: string): Promise<Server> {
  const own = openAnonymousProgram(directory, listenerProgram(calls, process.arch));
  try {
    const child = spawn(enter.file, enter.args, {
      stdio: ["ignore", "ignore", "ignore", ...enter.descriptors, own, "ipc"],
      env: {},
      cwd: "/",
      detached: true,
    });
    const tooLong = setTimeout(() => child.kill("SIGKILL"), holderStartTimeoutMs);
    return await new Promise<Server>((resolve, reject) => {
      child.once("error", reject);
      child.once("disconnect", () => reject(new Error("nothing can listen in the sandbox's network")));
      child.once("message", (_message, listener) => {
        if (listener instanceof Server) resolve(listener);
        else reject(new Error("what listens in the sandbox's network is no server"));
      });
    }).finally(() => {
      clearTimeout(tooLong);
      if (child.connected) child.disconnect();
    });
  } finally {
    closeSync(own);
  }
}
