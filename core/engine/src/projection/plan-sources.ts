import { isJsonObject, isPlanPath, type Message, type ToolCallBlock } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";
import { openTurnOf } from "../turn/open-turn-of.ts";
import { batchResults } from "./conversation.ts";

/** Where a plan may be found when the model leaves plan mode without saying it. */
export interface PlanSources {
  /** Content of the last file it wrote that is named like a plan. */
  readonly written: string | null;
  /** What it has said in this turn. */
  readonly said: string | null;
}

/** What of a plan is known since the last one was presented: that one had its answer. */
export function planSources(state: SessionState): PlanSources {
  const { conversation, operation } = state;
  const open = "batch" in operation ? [batchResults(operation.batch)] : [];
  const last = conversation.findLastIndex((message) => presentsPlan(message));
  const messages = [...conversation.slice(last + 1), ...open];
  const turn = openTurnOf(state);
  const from = Math.max(last + 1, turn?.messagesBefore ?? conversation.length);
  const said = conversation.slice(from).map(textOf).join("\n").trim();
  return { written: lastPlanFile(messages), said: said === "" ? null : said };
}

/** Its answer follows the call, so that a plan in the open batch is not yet presented. */
function presentsPlan(message: Message): boolean {
  return (
    message.role === "user" &&
    message.content.some((block) => block.type === "tool-result" && /^exit_?plan_?mode$/i.test(block.toolName))
  );
}

function textOf(message: Message): string {
  if (message.role !== "assistant") return "";
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function lastPlanFile(messages: readonly Message[]): string | null {
  const done = new Set(
    messages.flatMap((message) =>
      message.role === "user"
        ? message.content.flatMap((block) => (block.type === "tool-result" && !block.isError ? [block.callId] : []))
        : [],
    ),
  );
  const written = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) =>
          block.type === "tool-call" && done.has(block.callId) ? writtenPlan(block) : [],
        )
      : [],
  );
  return written.at(-1) ?? null;
}

function writtenPlan({ name, arguments: args }: ToolCallBlock): readonly string[] {
  if (args.type !== "json" || !isJsonObject(args.value)) return [];
  const { path, file_path: otherPath, content } = args.value;
  const target = typeof path === "string" ? path : otherPath;
  const isWrite = /write|create/i.test(name) && typeof target === "string" && isPlanPath(target);
  return isWrite && typeof content === "string" && content.trim() !== "" ? [content] : [];
}
