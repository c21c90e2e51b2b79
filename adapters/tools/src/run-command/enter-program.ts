import { AppError, type CommandForm, type CommandUse, messageOf, unreachable } from "@capstan/protocol";
import type { SandboxRequest, ToolResult, ToolRunContext } from "@capstan/ports";
import type { ToolsOptions } from "../options.ts";
import { errorCode } from "../paths/error-code.ts";
import { inertText } from "../paths/inert-text.ts";
import { enterConfinement, type StartedProgram } from "./confine/enter-confinement.ts";
import type { ConfinedEnd } from "./confine/sandbox-notes.ts";
import { commandEnvironment } from "./environment/command-environment.ts";
import { withTrustedPath } from "./environment/search-path.ts";
import type { CommandRun } from "./runs/command-run.ts";
import type { StartDirectory } from "./start-directory.ts";
import type { TimeAllowance } from "./time-allowance.ts";

/** A command that is about to start, with what it needs. */
export interface WatchedCommand {
  readonly command: CommandUse;
  readonly watched: CommandRun;
  readonly directory: StartDirectory;
  readonly context: ToolRunContext;
  readonly options: ToolsOptions;
  /** What is left of its time, where its call lasts as long as it runs: then its user can be asked, and meanwhile the time stands still. */
  readonly allowance?: TimeAllowance;
}

/** @throws what `notEntered` explains */
export async function enterProgram(run: WatchedCommand): Promise<StartedProgram> {
  const { command, watched, directory, context, options } = run;
  const { workspace } = context;
  const own = commandEnvironment(options.environment, command.confinement);
  return await enterConfinement(
    {
      ...programOf(command.form),
      environment: watched.environment(withTrustedPath(own, [workspace.cwd, ...workspace.roots])),
      directory: directory.path,
      command,
      workspace,
      copy:
        command.confinement.type === "sandbox" && command.confinement.workspace === "copy"
          ? copyOf(context)
          : undefined,
      session: context.sessionId,
      mayReach: reachOf(run),
      hosts: context.sandbox.hosts,
    },
    options.sandbox,
  );
}

function copyOf({ copy }: ToolRunContext): NonNullable<ToolRunContext["copy"]> {
  if (copy === undefined)
    throw new AppError("internal.bug", "a command is to run on a private copy, and there is none");
  return copy;
}

function reachOf({ command, context: { mayReach }, allowance }: WatchedCommand): SandboxRequest["mayReach"] {
  if (mayReach === undefined || allowance === undefined) return undefined;
  const what = `The command ${JSON.stringify(inertText(textOf(command.form), maxShownCommand))}`;
  return async (place) => await allowance.pausedFor(mayReach(place, what));
}

function textOf(form: CommandForm): string {
  return form.type === "argv" ? form.argv.join(" ") : form.script;
}

/** Of a command in a question: the whole stands in its call. */
const maxShownCommand = 200;

/** Nothing is tried outside instead. @throws what is no matter of the sandbox */
export function notEntered(error: unknown): ToolResult {
  if (!(error instanceof AppError) || (error.code !== "sandbox.failed" && error.code !== "sandbox.layout")) throw error;
  const hint = error.hint === undefined ? "" : ` ${error.hint}`;
  return { status: "failed", code: error.code, content: `${error.message}${hint} Nothing was run.` };
}

/** Why a program could not be started, as a result. */
export function notStarted(error: unknown, { form }: CommandUse, isCarrier: boolean): ToolResult {
  if (!isCarrier) return failure(explainStart(error, programOf(form).file));
  const content = `The sandbox could not be started: ${messageOf(error)}. Nothing was run.`;
  return { status: "failed", code: "sandbox.failed", content };
}

export function failure(content: string): ToolResult {
  return { status: "failed", code: "tool.failed", content };
}

/** What a result needs to explain what the sandbox stopped. */
export function placesOf({ context: { workspace }, options }: WatchedCommand): Pick<ConfinedEnd, "home" | "opened"> {
  return { home: options.home, opened: [workspace.cwd, ...workspace.roots] };
}

function programOf(form: CommandForm): { readonly file: string; readonly args: readonly string[] } {
  switch (form.type) {
    case "argv":
      return { file: form.argv[0] ?? "", args: form.argv.slice(1) };
    case "script":
      // A shell takes what begins with a sign for options; a blank in front changes nothing else.
      return { file: form.shell, args: ["-c", /^[-+]/.test(form.script) ? ` ${form.script}` : form.script] };
    default:
      return unreachable(form);
  }
}

function explainStart(error: unknown, file: string): string {
  const program = inertText(file, 200);
  switch (errorCode(error)) {
    case "ENOENT":
      return `There is no program "${program}" (or the interpreter its first line names is missing). Nothing was run.`;
    case "EACCES":
      return `"${program}" is not executable. Nothing was run.`;
    case "E2BIG":
      return `The arguments for "${program}" are too long for the system. Nothing was run.`;
    case "ENOEXEC":
      return `"${program}" is not a program this system can run. Nothing was run.`;
    default:
      return `"${program}" could not be started: ${messageOf(error)}`;
  }
}
