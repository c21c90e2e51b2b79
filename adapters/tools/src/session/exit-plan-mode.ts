import type { ToolContext } from "@capstan/ports";
import { isPlanPath, type JsonObject, type PathUse, type PlanSource, ToolRefusal } from "@capstan/protocol";
import { textOf } from "../files/current-file.ts";
import { pathUse } from "../files/action-path.ts";
import { quotedPath } from "../paths/path-syntax.ts";
import { readPinned } from "../paths/pinned-file.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import { maxPlanBytes, maxSaidPlanLength } from "./limits.ts";
import type { ToolCode } from "../tool-entry.ts";
import { sessionTool } from "./session-tool.ts";

/** Presents a plan for review. The plan is found once, here, and is part of the action from then on. */
export function createExitPlanModeTool(paths: WorkspacePaths): ToolCode {
  return sessionTool("exit_plan_mode", async (args, context) => {
    const { plan, source, file } = await findPlan(paths, args, context);
    return {
      session: { type: "exit-plan-mode", plan, source },
      summary: `Present the plan (${found[source]}${file === undefined ? "" : ` ${file.shown}`}, ${lineCount(plan)})`,
      ...(file === undefined ? {} : { paths: [file] }),
    };
  });
}

interface FoundPlan {
  readonly plan: string;
  readonly source: PlanSource;
  readonly file?: PathUse;
}

/** The named file on disk, else the last plan file written, else the argument, else what was said. */
async function findPlan(paths: WorkspacePaths, args: JsonObject, context: ToolContext): Promise<FoundPlan> {
  const onDisk = await planOnDisk(paths, args["plan_file"], context);
  if (onDisk !== undefined) return onDisk;
  const { written, said } = context.planSoFar();
  const argument = args["plan"];
  if (isText(written)) return { plan: written, source: "written" };
  if (isText(argument)) return { plan: argument, source: "argument" };
  if (isText(said)) return { plan: endOf(said), source: "said" };
  return { plan: "Plan is ready for review.", source: "none" };
}

/**
 * @returns `undefined` when none is named, there is no such file, or it says nothing
 * @throws {ToolRefusal} what `WorkspacePaths.resolve` throws; `path.denied` for a file that is not named like a plan
 */
async function planOnDisk(
  paths: WorkspacePaths,
  named: JsonObject[string] | undefined,
  { workspace }: ToolContext,
): Promise<FoundPlan | undefined> {
  if (!isText(named)) return undefined;
  // Missing is no refusal here: a plan may have been named and never written.
  const resolved = await paths.resolve(workspace, named, "write");
  if (resolved.kind === "missing") return undefined;
  if (!isPlanPath(resolved.shown) && !isPlanPath(resolved.real)) {
    const text = `${quotedPath(named)} is not named like a plan (NAME.plan, plans/NAME.md, PLAN.md), so it is not shown as one. Give the plan as text.`;
    throw new ToolRefusal("denied", "path.denied", text);
  }
  const readable = { ...resolved, access: "read" } as const;
  const { text } = textOf(await readPinned(readable, maxPlanBytes), resolved.shown);
  return isText(text) ? { plan: text, source: "file", file: pathUse(readable) } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function endOf(said: string): string {
  return said.slice(-maxSaidPlanLength).replace(/^[\udc00-\udfff]/u, "");
}

function lineCount(plan: string): string {
  const lines = plan.trimEnd().split("\n").length;
  return `${lines} line${lines === 1 ? "" : "s"}`;
}

const found: Readonly<Record<PlanSource, string>> = {
  file: "from the file",
  written: "from the plan file written last",
  argument: "as given",
  said: "as said in this turn",
  none: "not written down",
};
