import type { Action, Checkpoint } from "@capstan/protocol";
import type { ToolRun } from "./run-tool.ts";

/**
 * The files a call may change, as they are now; absent when they could not be kept. A call is not stopped for that: what it
 * does can then not be taken back, and the journal says so by having no checkpoint.
 */
export async function keepFiles({ action, context, ports }: ToolRun): Promise<Checkpoint | undefined> {
  const scope = scopeOf(action);
  if (scope === "nothing") return undefined;
  try {
    return await ports.checkpoints.keep(context.workspace, scope, context.signal);
  } catch (error) {
    if (!context.signal.aborted) ports.report(error);
    return undefined;
  }
}

function scopeOf({ effect, paths, command }: Action): "nothing" | "everything" | readonly string[] {
  switch (effect) {
    case "read":
    case "session":
    // What an agent does is kept where it is done, and comes with its end.
    case "delegate":
      return "nothing";
    case "write":
      return paths.flatMap((use) => (use.access === "read" ? [] : [use.real]));
    case "execute":
      // Nothing of the workspace changes.
      return command?.confinement.type === "sandbox" && command.confinement.workspace === "copy"
        ? "nothing"
        : "everything";
  }
}
