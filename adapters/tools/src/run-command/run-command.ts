import type { Staged, ToolContext } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  type Finding,
  type JsonObject,
  messageOf,
  ToolRefusal,
} from "@capstan/protocol";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import { commandSummary } from "./command-summary.ts";
import { askedReach } from "./confine/asked-reach.ts";
import { confinementOf } from "./confine/confinement-of.ts";
import { findShell } from "./find-shell.ts";
import { nestedCommands } from "./nested-commands/nested-commands.ts";
import { parseCommand } from "./parse-command.ts";
import { probeCommand } from "./probe/probe-command.ts";
import { mintRunId } from "./runs/run-id.ts";
import { runAction } from "./run-action.ts";
import { RunSupervision } from "./runs/run-supervision.ts";
import { probeStart } from "../background/probe-start.ts";
import { scriptsOf } from "./scripts/scripts-of.ts";
import type { ToolCode } from "../tool-entry.ts";

/**
 * `run_command`: a program with arguments, or a script for the shell. It runs in the sandbox where its action says so (else
 * nothing is run), in a process group of its own, without standard input, in an environment that holds nothing but `options.environment`,
 * what keeps it from waiting for a user, and the mark of its run; when the call ends, so has everything that carries the mark, and when
 * this process is killed, a supervisor ends it. A command that ran to its end is a result, whatever its exit code.
 */
export function createRunCommandTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const supervision = new RunSupervision(options.statusDirectory);
  return {
    prepare: async (args, context) => await prepare(args, context, options, paths),
    stage: async (action) => await Promise.resolve(stage(action, supervision)),
    run: async (action, _staged, context) => await runAction(action, context, options, supervision),
    probe: async (action, settle, context) =>
      action.arguments["background"] === true
        ? await probeStart(action, settle, context, { options, folder: supervision.folder })
        : onlyInCopy(action, await probeCommand(action, settle, context, supervision.folder)),
  };
}

/** Its copy went with the process that had it: however far it came, nothing of it is left, unless it reached the network. */
function onlyInCopy({ command }: Action, found: Finding): Finding {
  if (command?.confinement.type !== "sandbox" || command.confinement.workspace !== "copy") return found;
  if (command.confinement.hosts.length > 0)
    return found.type === "untouched"
      ? found
      : { type: "in-doubt", text: "It ran on a private copy, which is gone. It could reach the network." };
  return { type: "untouched", text: "It ran on a private copy, which is gone with all that it did." };
}

async function prepare(
  args: JsonObject,
  context: ToolContext,
  options: ToolsOptions,
  paths: WorkspacePaths,
): Promise<ActionDraft> {
  const { form, cwd, timeoutMs, isBackground } = parseCommand(args, options.timeouts, findShell(options.shell));
  if (isBackground && (context.sessionId === null || options.background === undefined))
    throw new ToolRefusal("rejected", "tool.bad-arguments", "background needs a session: leave it out here.");
  if (isBackground && context.onlyProposes === true)
    throw new ToolRefusal(
      "rejected",
      "tool.bad-arguments",
      "Under review no command runs in the background: leave it out.",
    );
  const confinement = confinementOf(askedReach(args), context, { workspace: context.workspace, paths, options });
  const directory = await paths.resolve(context.workspace, cwd, "read");
  if (directory.kind !== "directory") {
    const text = `cwd must be a directory: ${inertText(directory.shown, 200)} is a file.`;
    throw new ToolRefusal("rejected", "path.not-a-file", text);
  }
  const { commands: nested, complete } = await nestedCommands(form);
  const situation = { cwd: directory.real, workspace: context.workspace, paths, signal: context.signal };
  const scripts = await scriptsOf(nested, complete, situation);
  return {
    tool: "run_command",
    arguments: {
      ...args,
      cwd: directory.shown,
      // A day is more than a call may ask for, and the arguments must stay such that can be given.
      ...(isBackground ? {} : { timeout_seconds: timeoutMs / 1000 }),
    },
    effect: "execute",
    risk: "high",
    paths: [],
    command: { form, cwd: directory.real, timeoutMs, confinement, scripts, nested },
    summary: isBackground ? `${commandSummary(form)} ⟨in the background⟩` : commandSummary(form),
  };
}

/** Gives the run its name, which must be durable before anything can carry it. */
function stage(action: Action, { folder }: RunSupervision): Staged {
  try {
    folder.open();
  } catch (error) {
    const text = `The folder that notes what is started cannot be made (${messageOf(error)}). Nothing was run.`;
    throw new ToolRefusal("rejected", "tool.failed", text, { cause: error });
  }
  const settle = { files: [], runId: mintRunId(Date.now()) };
  return { settle, changes: [], proposal: `Proposed, not run: ${action.summary}`, data: undefined };
}
