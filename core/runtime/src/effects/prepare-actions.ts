import type { PreparedCall } from "@capstan/engine";
import type { Digest, Tool, ToolCatalog, ToolContext } from "@capstan/ports";
import {
  type Action,
  type ActionDraft,
  canonicalJson,
  messageOf,
  type ToolCallBlock,
  type ToolCallId,
  type ToolOutcome,
  ToolRefusal,
} from "@capstan/protocol";

/** What makes an action of a draft. */
export interface ForActions {
  readonly digest: Digest;
  readonly redact: (text: string) => string;
}

/** Builds the frozen action of every call, or the reason why it must not run. Nothing is staged. */
export function prepareActions(
  calls: readonly ToolCallBlock[],
  tools: ToolCatalog,
  context: ToolContext,
  using: ForActions,
): Promise<readonly PreparedCall[]> {
  return Promise.all(
    calls.map(async (call) => {
      const drafted = await draftCall(call, tools, () => context);
      return drafted.type === "refused" ? drafted : toAction(call.callId, drafted.draft, using);
    }),
  );
}

/** A call whose tool has said what it will do. */
export interface DraftedCall {
  readonly type: "draft";
  readonly tool: Tool;
  readonly draft: ActionDraft;
}

/** Asks the tool that a call means what it will do. */
export async function draftCall(
  call: ToolCallBlock,
  tools: ToolCatalog,
  contextFor: (tool: Tool) => ToolContext,
): Promise<DraftedCall | Extract<PreparedCall, { type: "refused" }>> {
  const { callId } = call;
  const refused = (outcome: ToolOutcome) => ({ callId, type: "refused", outcome }) as const;
  if (call.arguments.type === "malformed")
    return refused({ type: "rejected", code: "tool.malformed-arguments", content: call.arguments.problem });
  const routed = tools.route(call.name, call.arguments.value);
  if (routed.type === "unknown") return refused(unknownTool(call.name, tools));
  if (routed.type === "wrong") return refused(badArguments(routed.problem));
  const { tool, notes } = routed;
  try {
    const checked = tools.check(tool, routed.arguments);
    if (checked.type === "wrong") return refused(badArguments(checked.problem));
    const draft = await tool.prepare(checked.arguments, contextFor(tool));
    return { type: "draft", tool, draft: notes.length === 0 ? draft : { ...draft, notes } };
  } catch (error) {
    return { ...refused(refusalOutcome(error, tool)), effect: tool.effect };
  }
}

/** The line for people is part of what is frozen; the arguments stay as they will be run. */
export function toAction(
  callId: ToolCallId,
  draft: ActionDraft,
  { digest, redact }: ForActions,
): Extract<PreparedCall, { type: "action" }> {
  return { callId, type: "action", action: freezeAction({ ...draft, summary: redact(draft.summary) }, digest) };
}

function badArguments(problem: string): ToolOutcome {
  return { type: "rejected", code: "tool.bad-arguments", content: `Not run: ${problem}` };
}

/** The action with its digest: from here on policy, user, journal and executor read the same thing. */
export function freezeAction(draft: ActionDraft, digest: Digest): Action {
  return deepFreeze({ ...draft, digest: digest(canonicalJson(draft)) });
}

/** Whether an action is still the one its digest was taken of: what policy judged and a user saw is what runs. */
export function isWhole({ digest: taken, ...draft }: Action, digest: Digest): boolean {
  return digest(canonicalJson(draft)) === taken;
}

/** What the model reads when a call could not be prepared or worked out. */
export function refusalOutcome(error: unknown, tool: Tool): ToolOutcome {
  if (!(error instanceof ToolRefusal)) {
    return {
      type: "failed",
      code: "tool.failed",
      content: `${tool.definition.name} failed before it did anything: ${messageOf(error)}`,
    };
  }
  if (error.kind === "denied") return { type: "denied", by: "path", content: error.message };
  return { type: "rejected", code: error.code, content: error.message };
}

/** What the model reads when it names a tool that is not there. */
export function unknownTool(name: string, tools: ToolCatalog): ToolOutcome {
  const names = tools
    .definitions()
    .map((definition) => definition.name)
    .join(", ");
  return {
    type: "rejected",
    code: "tool.unknown",
    content: `Not run: there is no tool named ${JSON.stringify(name.slice(0, 64))}. The tools are: ${names}.`,
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
