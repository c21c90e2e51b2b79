import type { ToolContext } from "@capstan/ports";
import { type Confinement, ToolRefusal } from "@capstan/protocol";
import type { AskedReach } from "./asked-reach.ts";
import { type FolderSituation, writableFolders } from "./writable-folders.ts";

/**
 * What a command may reach, as its action says it: exactly what is judged, shown to people and run. Where there is no sandbox, what
 * it asks of one means nothing.
 * @throws {ToolRefusal} `tool.bad-arguments`, `path.*`; what plan mode never gives
 */
export function confinementOf(
  asked: AskedReach,
  context: Pick<ToolContext, "mode" | "sandbox" | "onlyProposes">,
  situation: FolderSituation,
): Confinement {
  const { mode, sandbox } = context;
  if (context.onlyProposes === true && mode !== "plan") return onCopy(asked, sandbox);
  if (sandbox.isolation.type === "none") {
    if (asked.outside === undefined) return { type: "none" };
    throw refused("There is no sandbox here: leave outside_sandbox out.");
  }
  if (mode === "plan") {
    if (asked.outside === undefined && asked.hosts.length === 0 && asked.writable.length === 0 && !asked.writes)
      return { type: "sandbox", workspace: "read", hosts: [], writable: [] };
    throw refused("Plan mode only reads: network, writable, writes and outside_sandbox are for after the plan.");
  }
  if (asked.outside !== undefined) return { type: "none", asked: asked.outside };
  return {
    type: "sandbox",
    // In `default` nothing of the user's changes without permission: what changes the workspace says so, and is asked about.
    workspace: mode === "default" && !asked.writes ? "build" : "write",
    hosts: [...new Set([...sandbox.hosts, ...asked.hosts])],
    writable: writableFolders(asked.writable, situation),
  };
}

/**
 * Strategy `review`: it may change whatever it likes of a private copy, and nothing else. Without a whole sandbox there is none of which that is certain.
 */
function onCopy(asked: AskedReach, { isolation, hosts }: ToolContext["sandbox"]): Confinement {
  if (isolation.type !== "enforced")
    throw refused(
      "Under review commands run on a private copy of the workspace, in a sandbox, and there is none here.",
    );
  if (asked.outside !== undefined || asked.writable.length > 0)
    throw refused(
      "Under review commands run on a private copy of the workspace: leave writable and outside_sandbox out.",
    );
  return { type: "sandbox", workspace: "copy", hosts: [...new Set([...hosts, ...asked.hosts])], writable: [] };
}

function refused(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
