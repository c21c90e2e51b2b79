import type { ToolContext, WorkspaceCopy } from "@capstan/ports";
import { type Action, type FileEffect, messageOf, type ToolOutcome } from "@capstan/protocol";
import { redactChanges } from "../redact-outcome.ts";
import type { Stimulus } from "@capstan/engine";
import type { ActionPorts, DecisionPorts } from "../runtime-ports.ts";

type ToolEnd = Extract<Stimulus, { type: "tool-ended" }>;

/** What decides where a call works. */
export interface PlacedCall {
  readonly action: Action;
  readonly context: ToolContext;
  readonly ports: Pick<DecisionPorts & ActionPorts, "checkpoints" | "redact" | "report">;
  /** What the turn has proposed so far. */
  readonly over: readonly FileEffect[];
}

/** Where a call works: the workspace, or a private copy of it, of which what changed is proposed. */
export class CallPlace {
  readonly #run: PlacedCall;
  #copy: WorkspaceCopy | undefined;

  constructor(run: PlacedCall) {
    this.#run = run;
  }

  /** @returns `undefined`: the workspace itself */
  async open(): Promise<WorkspaceCopy | undefined> {
    const { action, ports, context, over } = this.#run;
    const { command } = action;
    if (command?.confinement.type !== "sandbox" || command.confinement.workspace !== "copy") return undefined;
    this.#copy = await ports.checkpoints.copy(context.workspace, over, context.signal);
    return this.#copy;
  }

  async close(): Promise<void> {
    const copy = this.#copy;
    this.#copy = undefined;
    await copy?.remove().catch((error: unknown) => this.#run.ports.report(error));
  }

  /** The call's end with what it changed in its copy. Should that not be found out, the call has failed: nothing of it is anywhere. */
  async closeInto(end: ToolEnd): Promise<ToolEnd> {
    const copy = this.#copy;
    if (copy === undefined) return end;
    try {
      return await this.#withProposal(copy, end);
    } catch (error) {
      const content = `What it changed in its private copy could not be kept: ${messageOf(error)}. Nothing of it is in the workspace.`;
      return { ...end, outcome: { type: "failed", code: "tool.failed", content: this.#run.ports.redact(content) } };
    } finally {
      await this.close();
    }
  }

  async #withProposal(copy: WorkspaceCopy, end: ToolEnd): Promise<ToolEnd> {
    const { ports, context } = this.#run;
    const { effects, left } = await copy.changes(context.signal);
    const { outcome } = end;
    const missed =
      left.length === 0 ? "" : `\n[Too large to be proposed, and so gone: ${left.slice(0, maxNamed).join(", ")}]`;
    if (effects.length === 0) return { ...end, outcome: withText(outcome, `${missed}\n${unchanged}`) };
    const changes = redactChanges(
      await ports.checkpoints.describe(context.workspace, effects, context.signal),
      ports.redact,
    );
    const said = `${withText(outcome, missed).content.replace(/\n$/, "")}\n${noteOf(changes.map(({ path }) => path))}`;
    const details = "details" in outcome && outcome.details !== undefined ? { details: outcome.details } : {};
    return { ...end, outcome: { type: "proposed", content: said, ...details }, changes, proposed: effects };
  }
}

/** Also where it changed the repository, or what git ignores: that is gone. */
const unchanged = "[It ran on a private copy of the workspace, and changed no file that can be proposed.]";

/** Paths that are named in a result; who applies sees all. */
const maxNamed = 20;

function noteOf(paths: readonly string[]): string {
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : "";
  const files = `${paths.length} file${paths.length === 1 ? "" : "s"}`;
  return `[It ran on a private copy. Its changes of ${files} are proposed, and not in the workspace: ${paths.slice(0, maxNamed).join(", ")}${more}]`;
}

function withText<Outcome extends ToolOutcome>(outcome: Outcome, text: string): Outcome {
  return text === "" ? outcome : { ...outcome, content: `${outcome.content}${text}` };
}
