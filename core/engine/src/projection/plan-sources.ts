import { isJsonObject, type Message, type ToolCallBlock } from "@capstan/protocol";
import type { SessionState } from "../operation/state.ts";
import { openTurnOf } from "../turn/open-turn-of.ts";
import { conversation } from "./conversation.ts";

/** Where a plan may be found when the model leaves plan mode without saying it. */
export interface PlanSources {
  /** Content of the last file it wrote that is named like a plan. */
  readonly written: string | null;
  /** What it has said in this turn. */
  readonly said: string | null;
}

export function planSources(state: SessionState): PlanSources {
  const messages = conversation(state);
  const turn = openTurnOf(state);
  const said = turn === null ? "" : state.conversation.slice(turn.messagesBefore).map(textOf).join("\n").trim();
  return { written: lastPlanFile(messages), said: said === "" ? null : said };
}

/** Whether a path is named as plans are: `x.plan`, `.claude/plans/x.md`, `plans/x.md`, `PLAN.md`. */
export function isPlanPath(path: string): boolean {
  return /\.plan$|(?:^|\/)plans\/[^/]+$|(?:^|\/)plan\.md$/i.test(path);
}

function textOf(message: Message): string {
  if (message.role !== "assistant") return "";
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function lastPlanFile(messages: readonly Message[]): string | null {
  const failed = new Set(
    messages.flatMap((message) =>
      message.role === "user"
        ? message.content.flatMap((block) => (block.type === "tool-result" && block.isError ? [block.callId] : []))
        : [],
    ),
  );
  const written = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) =>
          block.type === "tool-call" && !failed.has(block.callId) ? writtenPlan(block) : [],
        )
      : [],
  );
  return written.at(-1) ?? null;
}

function writtenPlan({ name, arguments: args }: ToolCallBlock): readonly string[] {
  if (args.type !== "json" || !isJsonObject(args.value)) return [];
  const { path, file_path: otherPath, content } = args.value;
  const target = typeof path === "string" ? path : otherPath;
  const isWrite = /write/i.test(name) && typeof target === "string" && isPlanPath(target);
  return isWrite && typeof content === "string" ? [content] : [];
}
