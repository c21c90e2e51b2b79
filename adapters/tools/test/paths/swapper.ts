import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * A process that, as fast as it can, puts a link to `outside` in the place of the directory `inside`, and takes it away again.
 * `link`: the place is always a link, whose target alternates. `directory`: the directory itself is moved away and back.
 */
export async function startSwapper(
  kind: "link" | "directory",
  place: string,
  targets: readonly [string, string],
): Promise<Swapper> {
  const child = spawn(process.execPath, ["-e", scripts[kind], place, ...targets], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The first output says that it swaps.
  await once(child.stdout, "data");
  return { stop: async () => await stop(child) };
}

export interface Swapper {
  stop(): Promise<void>;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) throw new Error("the swapper died; nothing was tested");
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

const prelude = `const fs = require("node:fs"); const [place, inside, outside] = process.argv.slice(1);`;

const scripts = {
  link: `${prelude}
    const put = (target) => { fs.symlinkSync(target, place + ".next"); fs.renameSync(place + ".next", place); };
    put(inside); fs.writeSync(1, "ready");
    for (;;) { put(outside); put(inside); }`,
  directory: `${prelude}
    // A writer may make the directory again while its place is empty; that one is in the way.
    const attempt = (act) => { try { act(); return true; } catch { return false; } };
    const insist = (act) => { while (!attempt(act)) attempt(() => fs.rmSync(place, { recursive: true, force: true })); };
    fs.writeSync(1, "ready");
    for (;;) {
      fs.renameSync(place, inside); insist(() => fs.symlinkSync(outside, place));
      fs.unlinkSync(place); insist(() => fs.renameSync(inside, place));
    }`,
};
