import { execFile, execFileSync, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { bundledProgram } from "../../../../test/programs/bundled-program.ts";
import type { Place } from "./bench-place.ts";
import { type CommandsRequest, runCommands } from "./commands-process.ts";
import type { Ended } from "./run-program.ts";

/** Who runs the commands. */
export interface User {
  readonly name: string;
  /** Runs scripts one after another in the sandbox, each as another start of Capstan would. */
  run(place: Place, scripts: readonly string[]): Promise<readonly Ended[]>;
  /** The same as commands of one session. */
  runTogether(place: Place, scripts: readonly string[]): Promise<readonly Ended[]>;
  /** Runs a script as this user, outside of any sandbox. */
  runBare(place: Place, script: string): string;
}

const own: User = {
  name: process.getuid?.() === 0 ? "root" : "the user who runs the tests",
  run: ({ options, workspace }, scripts) => runCommands({ options, workspace, scripts }),
  runTogether: ({ options, workspace }, scripts) => runCommands({ options, workspace, scripts, isOneSession: true }),
  runBare: ({ workspace, home }, script) => bare(script, { cwd: workspace, home }),
};

/** No account is needed: the kernel knows numbers. */
const number = 61_234;

const ordinary: User = {
  name: "an ordinary user",
  run: (place, scripts) => runAsOrdinary(place, { scripts }),
  runTogether: (place, scripts) => runAsOrdinary(place, { scripts, isOneSession: true }),
  runBare: (place, script) => {
    give(place);
    return bare(script, { cwd: place.workspace, home: place.home, uid: number, gid: number });
  },
};

async function runAsOrdinary(
  place: Place,
  commands: Pick<CommandsRequest, "scripts" | "isOneSession">,
): Promise<readonly Ended[]> {
  give(place);
  const { options, workspace } = place;
  const request = JSON.stringify({ options, workspace, ...commands });
  const words = [await bundledProgram(commandsProcess), request];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    uid: number,
    gid: number,
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"], HOME: place.home, TMPDIR: place.folder },
  });
  const ended: readonly Ended[] = JSON.parse(stdout);
  return ended;
}

const commandsProcess = new URL("commands-process.ts", import.meta.url).pathname;

function give({ folder }: Place): void {
  execFileSync("chown", ["-R", `${number}:${number}`, folder]);
}

function bare(
  script: string,
  { cwd, home, ...who }: { readonly cwd: string; readonly home: string; readonly uid?: number; readonly gid?: number },
): string {
  const { stdout, stderr } = spawnSync("/bin/bash", ["-c", script], {
    cwd,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    encoding: "utf8",
    ...who,
  });
  return stdout + stderr;
}

/** Where root runs the tests, and others may read the sources, everything is tried as somebody without any right, too. */
function canBeOrdinary(): boolean {
  if (process.getuid?.() !== 0) return false;
  const { status } = spawnSync("/usr/bin/test", ["-r", commandsProcess], { uid: number, gid: number });
  return status === 0;
}

export const users: readonly User[] = canBeOrdinary() ? [own, ordinary] : [own];
