import { createSandbox, type SandboxOptions } from "../../src/index.ts";
import { askGitPlainly } from "./bench-place.ts";
import { type Ended, runProgram } from "./run-program.ts";

/** What a process of another user is to run. */
export interface CommandsRequest {
  readonly options: SandboxOptions;
  readonly workspace: string;
  readonly scripts: readonly string[];
  /** They are commands of one session. */
  readonly isOneSession?: boolean;
}

/** Each script is run as the next start of Capstan would run it, or the next command of a session. */
export async function runCommands({
  options,
  workspace,
  scripts,
  isOneSession = false,
}: CommandsRequest): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  // No function comes through to another process.
  const whole = { ...options, git: askGitPlainly };
  const session = createSandbox(whole);
  for (const script of scripts) {
    const program = await (isOneSession ? session : createSandbox(whole)).enter({
      workspace: { cwd: workspace, roots: [workspace] },
      confinement: { type: "sandbox", workspace: "write", hosts: [], writable: [] },
      file: "/bin/bash",
      args: ["-c", script],
      cwd: workspace,
      environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
    ended.push(await runProgram(program));
  }
  return ended;
}

const [request] = process.argv.slice(2);
if (request !== undefined && process.argv[1] === import.meta.filename) {
  const parsed: CommandsRequest = JSON.parse(request);
  process.stdout.write(JSON.stringify(await runCommands(parsed)));
}
