import type { Staged, ToolContext } from "@capstan/ports";
import { type Action, type ActionDraft, AppError, type JsonObject, ToolRefusal } from "@capstan/protocol";
import { createEditFileTool } from "../edit-file.ts";
import { maxSummaryLength } from "../files/limits.ts";
import { plural } from "../files/plural.ts";
import { probeFiles } from "../files/probe/probe-files.ts";
import { joinStaged } from "../files/staged-files.ts";
import type { ToolsOptions } from "../options.ts";
import { inertText } from "../paths/inert-text.ts";
import type { WorkspacePaths } from "../paths/workspace-paths.ts";
import type { ToolCode } from "../tool-entry.ts";
import { createWriteFileTool } from "../write-file.ts";
import { changeSet, type ChangeSet, type FileOperation } from "./change-set.ts";
import { createDeletion } from "./delete-file.ts";

/** What does one operation: judged, worked out and described as a call of its own would be. */
type Parts = Readonly<Record<FileOperation["operation"], Pick<ToolCode, "prepare" | "stage">>>;

/** Changes of several files as one proposal. Nothing of it is ever written here: whoever applies it does that. */
export function createProposeChangesTool(options: ToolsOptions, paths: WorkspacePaths): ToolCode {
  const parts: Parts = {
    edit: createEditFileTool(options, paths),
    write: createWriteFileTool(options, paths),
    delete: createDeletion(options, paths),
  };
  return {
    prepare: async (args, context) => await prepareSet(args, context, parts),
    stage: async (action, context) => await stageSet(action, context, parts),
    run: async () => await Promise.reject(new AppError("internal.bug", "a proposal was run")),
    probe: async (_action, settle, context) => await probeFiles(settle, context, { paths, timeouts: options.timeouts }),
  };
}

async function prepareSet(args: JsonObject, context: ToolContext, parts: Parts): Promise<ActionDraft> {
  const set = changeSet(args);
  const drafts = await each(set, async ({ operation, args: own }) => await parts[operation].prepare(own, context));
  const [first] = drafts.made;
  if (first === undefined) throw drafts.refusals[0] ?? new AppError("internal.bug", "a set without operations");
  const places = drafts.made.flatMap((draft) => draft.paths);
  const reals = new Set(places.map(({ real }) => real));
  if (reals.size < places.length)
    throw new ToolRefusal("rejected", "tool.bad-arguments", "Two operations lead to one file. Name each file once.");
  const about = `Propose: ${set.description} (${places.map(({ shown }) => shown).join(", ")})`;
  return {
    tool: "propose_changes",
    arguments: args,
    effect: "write",
    risk: "medium",
    paths: places,
    proposes: set.isAtomic ? "together" : "apart",
    summary: inertText(about, maxSummaryLength),
  };
}

async function stageSet(action: Action, context: ToolContext, parts: Parts): Promise<Staged> {
  const set = changeSet(action.arguments);
  const staged = await each(
    set,
    async ({ operation, args }) => await stageOne(parts[operation], args, { action, context }),
  );
  const [refusal] = staged.refusals;
  if (staged.made.length === 0 && refusal !== undefined) throw refusal;
  const left = staged.refusals.map(({ message }) => `\n- left out: ${message}`).join("");
  return joinStaged(staged.made, `${plural(staged.made.length, "file")}.${left}`);
}

/** @throws {ToolRefusal} `file.stale` where it leads to another place than was judged */
async function stageOne(
  { prepare, stage }: Parts[FileOperation["operation"]],
  args: JsonObject,
  { action, context }: { readonly action: Action; readonly context: ToolContext },
): Promise<Staged> {
  const draft = await prepare(args, context);
  const isJudged = draft.paths.every(({ real }) => action.paths.some((use) => use.real === real));
  if (!isJudged || stage === undefined)
    throw new ToolRefusal(
      "rejected",
      "file.stale",
      "It leads to another place than when the call was checked. Try again.",
    );
  return await stage({ ...draft, digest: "" }, context);
}

/** What came of each operation. Of a set that is atomic, what does not fit refuses all. */
async function each<Made>(
  { operations, isAtomic }: ChangeSet,
  work: (operation: FileOperation) => Promise<Made>,
): Promise<{ readonly made: readonly Made[]; readonly refusals: readonly ToolRefusal[] }> {
  const made: Made[] = [];
  const refusals: ToolRefusal[] = [];
  for (const operation of operations) {
    try {
      made.push(await work(operation));
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      const text = `${operation.path}: ${error.message}`;
      const refusal = new ToolRefusal(error.kind, error.code, text, { cause: error });
      if (isAtomic || error.kind === "denied") throw refusal;
      refusals.push(refusal);
    }
  }
  return { made, refusals };
}
