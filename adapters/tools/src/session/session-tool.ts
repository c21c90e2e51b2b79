import type { ToolContext } from "@capstan/ports";
import {
  type ActionDraft,
  AppError,
  type JsonObject,
  type JsonValue,
  type PathUse,
  type SessionCall,
} from "@capstan/protocol";
import type { ToolCode } from "../tool-entry.ts";
import { maxSummaryLength } from "../files/limits.ts";
import { inertText } from "../paths/inert-text.ts";

/** What a call of a session tool comes to. `summary`: for people, made inert here. */
export interface SessionRequest {
  readonly session: SessionCall;
  readonly summary: string;
  readonly paths?: readonly PathUse[];
}

/** A tool that only says what it wants of the session. The engine decides, so that it never runs. */
export function sessionTool(
  name: string,
  request: (args: JsonObject, context: ToolContext) => Promise<SessionRequest>,
): ToolCode {
  return {
    async prepare(args, context): Promise<ActionDraft> {
      const { session, summary, paths = [] } = await request(args, context);
      return {
        tool: name,
        arguments: args,
        effect: "session",
        risk: "low",
        paths,
        session,
        summary: inertText(summary, maxSummaryLength),
      };
    },
    run: async () => ({
      status: "failed",
      code: "tool.not-offered",
      content: `${name} means something only inside a session, where it is answered and not run.`,
    }),
  };
}

/** A text of the arguments, cut at a length without halving a character. */
export function textUpTo(value: JsonValue | undefined, maxLength: number): string {
  if (typeof value !== "string")
    throw new AppError("internal.bug", "a session tool was called with unchecked arguments");
  if (value.length <= maxLength) return value;
  return `${value.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/u, "")}…`;
}
