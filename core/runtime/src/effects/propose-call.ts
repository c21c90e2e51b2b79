import type { Staged } from "@capstan/ports";
import type { FileEffect, ToolOutcome } from "@capstan/protocol";
import type { ActionPorts } from "../runtime-ports.ts";

/** What a call would do to files, kept for whoever applies it, or why that cannot be proposed. */
export type ProposedCall =
  | { readonly type: "kept"; readonly effects: readonly FileEffect[] }
  | { readonly type: "refused"; readonly outcome: ToolOutcome };

/** Keeps the files that a call would leave. `over`: what the calls before it propose. */
export async function proposeCall(
  { checkpoints }: Pick<ActionPorts, "checkpoints">,
  { files = [], settle }: Staged,
  over: readonly FileEffect[],
): Promise<ProposedCall> {
  const before = new Map(settle.files.map((file) => [file.path, file.before]));
  const planned = files.map(({ path, content, mode }) => ({
    path,
    before: before.get(path) ?? null,
    after: content,
    ...(mode === undefined ? {} : { mode }),
  }));
  const proposed = await checkpoints.propose(planned, over);
  if (proposed.type === "kept") return proposed;
  const content = `Not proposed: ${proposed.path} is no longer what the change was worked out from. Read it again, then make the call again.`;
  return { type: "refused", outcome: { type: "failed", code: "file.stale", content } };
}
