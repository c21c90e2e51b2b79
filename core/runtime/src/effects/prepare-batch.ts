import type { PreparedCall } from "@capstan/engine";
import type { Staged, ToolCatalog, ToolContext } from "@capstan/ports";
import type { Action, ActionDraft, ToolCallBlock, ToolCallId } from "@capstan/protocol";
import type { Redactor } from "../redact.ts";
import { redactChanges } from "../redact-outcome.ts";
import { StagedGround } from "./ground.ts";
import { draftCall, type ForActions, refusalOutcome, toAction } from "./prepare-actions.ts";

/** What decides about the calls of a batch while they are prepared. */
export interface ForBatch extends ForActions {
  readonly redact: Redactor;
  readonly tools: ToolCatalog;
  /** Whether a call may come to run: what is refused anyway is not looked into. */
  readonly mayRun: (callId: ToolCallId, draft: ActionDraft) => boolean;
  /** Changes of files are proposed, and nothing of them will be on disk. */
  readonly onlyProposes: boolean;
  /** What was proposed in this batch so far, in order: what is proposed next stands on it. */
  readonly proposals: readonly Action[];
}

/** A call that is ready, with its effect worked out where that could be done before. */
export type ReadyCall = PreparedCall & { readonly staged?: Staged };

/**
 * Prepares calls in their order, each on top of what those before it will do to files. What a command will do is not known: a call after one is
 * prepared as if it did nothing.
 */
export async function prepareBatch(
  calls: readonly ToolCallBlock[],
  disk: ToolContext,
  using: ForBatch,
): Promise<readonly ReadyCall[]> {
  const ground = await groundOf(using, disk);
  const ready: ReadyCall[] = [];
  for (const call of calls) {
    const item = await prepareCall(call, ground, disk, using);
    if (item.staged !== undefined) ground.lay(item.staged);
    ready.push(item);
  }
  return ready;
}

function proposing(draft: ActionDraft): ActionDraft {
  return draft.proposes === undefined ? { ...draft, proposes: "apart" } : draft;
}

async function groundOf({ proposals, tools }: ForBatch, disk: ToolContext): Promise<StagedGround> {
  const ground = new StagedGround();
  for (const action of proposals) {
    // What no longer fits is nothing to stand on.
    const staged = await tools
      .find(action.tool)
      ?.stage?.(action, ground.over(disk))
      .catch(() => undefined);
    if (staged !== undefined) ground.lay(staged);
  }
  return ground;
}

async function prepareCall(
  call: ToolCallBlock,
  ground: StagedGround,
  disk: ToolContext,
  using: ForBatch,
): Promise<ReadyCall> {
  const { callId } = call;
  const staging = ground.over(disk);
  const drafted = await draftCall(call, using.tools, ({ effect }) =>
    using.onlyProposes && effect !== "write" ? disk : staging,
  );
  if (drafted.type === "refused") return drafted;
  const { tool } = drafted;
  const draft = using.onlyProposes && drafted.draft.effect === "write" ? proposing(drafted.draft) : drafted.draft;
  if (draft.effect !== "write" || tool.stage === undefined || !using.mayRun(callId, draft))
    return toAction(callId, draft, using);
  try {
    // Whoever stages asks for no digest.
    const staged = await tool.stage({ ...draft, digest: "" }, staging);
    const changes = redactChanges(staged.changes, using.redact);
    return { ...toAction(callId, { ...draft, files: staged.settle.files }, using), changes, staged };
  } catch (error) {
    return { callId, type: "refused", outcome: refusalOutcome(error, tool), effect: tool.effect };
  }
}
