import type { CopiedWorkspace, Sandbox, SandboxReport, SandboxRequest } from "@capstan/ports";
import { type CommandUse, registryHosts, type Workspace } from "@capstan/protocol";

/** A program as it is spawned. */
export interface StartedProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** It gets them as 3, 4, … */
  readonly descriptors: readonly number[];
  /** It only carries what the command runs, and ends with it. */
  readonly isCarrier: boolean;
  /** To be called when nothing of it is left, or it was never started. @returns `undefined` where there is no sandbox */
  finish(): Promise<SandboxReport | undefined>;
}

/** What a command runs, and where: `directory` is held open, `real` is its path. */
export interface ProgramRequest {
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly command: CommandUse;
  readonly workspace: Workspace;
  /** The private copy that it is to work on; `undefined`: the workspace itself. */
  readonly copy: CopiedWorkspace | undefined;
  /** Commands of one session share a temporary folder and a network. */
  readonly session: string | null;
  /** Whether it may reach one more place, while the connection waits; `undefined`: no. */
  readonly mayReach: SandboxRequest["mayReach"];
  /** Hosts that the user's configuration opens. */
  readonly hosts: readonly string[];
}

/**
 * How to start it as its action says: in the sandbox, or without one.
 * @throws {AppError} `sandbox.failed`, `sandbox.layout`: then nothing was started, and nothing is to be started outside
 */
export async function enterConfinement(request: ProgramRequest, sandbox: Sandbox): Promise<StartedProgram> {
  const { file, args, environment, directory, command, workspace, session } = request;
  const { confinement } = command;
  if (confinement.type === "none") {
    return { file, args, environment, cwd: directory, descriptors: [], isCarrier: false, finish: nothingToReport };
  }
  const ownHosts = request.hosts.filter((host) => !host.includes("*") && !registryHosts.includes(host));
  const entered = await sandbox.enter({
    ...(session === null ? {} : { session }),
    workspace: request.copy?.workspace ?? workspace,
    ...(request.copy === undefined ? {} : { copied: request.copy.folders }),
    confinement,
    ownHosts,
    ...(request.mayReach === undefined ? {} : { mayReach: request.mayReach }),
    file,
    args,
    cwd: command.cwd,
    environment,
  });
  return {
    file: entered.file,
    args: entered.args,
    environment: entered.environment,
    descriptors: entered.descriptors,
    cwd: "/",
    isCarrier: true,
    finish: async () => await entered.finish(),
  };
}

async function nothingToReport(): Promise<undefined> {
  return undefined;
}
