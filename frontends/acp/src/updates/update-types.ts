/** What a client is shown of a session, in the shapes of protocol version 1. */
export type SessionUpdate =
  | ({ readonly sessionUpdate: "user_message_chunk" } & Chunk)
  | ({ readonly sessionUpdate: "agent_message_chunk" } & Chunk)
  | ({ readonly sessionUpdate: "agent_thought_chunk" } & Chunk)
  | ({ readonly sessionUpdate: "tool_call" } & ToolCall)
  | ({ readonly sessionUpdate: "tool_call_update" } & ToolCallChange)
  | { readonly sessionUpdate: "plan"; readonly entries: readonly PlanEntry[] }
  | { readonly sessionUpdate: "available_commands_update"; readonly availableCommands: readonly AvailableCommand[] }
  | { readonly sessionUpdate: "current_mode_update"; readonly currentModeId: string }
  | { readonly sessionUpdate: "config_option_update"; readonly configOptions: readonly ConfigOption[] }
  | { readonly sessionUpdate: "session_info_update"; readonly title?: string; readonly updatedAt?: string }
  | {
      readonly sessionUpdate: "usage_update";
      readonly used: number;
      readonly size: number;
      readonly cost?: { readonly amount: number; readonly currency: string };
    }
  | {
      readonly sessionUpdate: "notice";
      readonly severity: "info" | "warning" | "error";
      readonly title: string;
      readonly description?: string;
    }
  | {
      readonly sessionUpdate: "compaction_update";
      readonly compactionId: string;
      readonly status: "in_progress" | "completed" | "failed" | "cancelled";
      readonly summary?: readonly ContentBlock[];
      readonly error?: string;
    };

/** A piece of a message; those of one id are one message. */
interface Chunk {
  readonly content: ContentBlock;
  readonly messageId: string;
}

export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource:
        | { readonly uri: string; readonly mimeType: string; readonly text: string }
        | { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

export interface ToolCall extends ToolCallFields {
  readonly toolCallId: string;
}

/** What has changed of a call, beside its id. */
export interface ToolCallChange extends Partial<ToolCallFields> {
  readonly toolCallId: string;
}

/** A call as it is shown. `name`: the tool's. */
export interface ToolCallFields {
  readonly title: string;
  readonly name: string;
  readonly kind: ToolKind;
  readonly status: "pending" | "in_progress" | "completed" | "failed";
  readonly content: readonly ToolCallContent[];
  readonly locations: readonly ToolCallLocation[];
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
}

export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "switch_mode"
  | "other";

export type ToolCallContent =
  | { readonly type: "content"; readonly content: ContentBlock }
  /** `oldText` is `null` for a new file. */
  | { readonly type: "diff"; readonly path: string; readonly oldText: string | null; readonly newText: string };

export interface ToolCallLocation {
  readonly path: string;
  readonly line?: number;
}

export interface PlanEntry {
  readonly content: string;
  readonly priority: "medium";
  readonly status: "pending" | "in_progress" | "completed";
}

export interface AvailableCommand {
  readonly name: string;
  readonly description: string;
  readonly input?: { readonly hint: string };
}

export interface ConfigOption {
  readonly id: string;
  readonly name: string;
  readonly category: "mode" | "model" | "thought_level";
  readonly type: "select";
  readonly currentValue: string;
  readonly options: readonly { readonly value: string; readonly name: string; readonly description?: string }[];
}

export function textBlock(text: string): ContentBlock {
  return { type: "text", text };
}

export function textContent(text: string): ToolCallContent {
  return { type: "content", content: textBlock(text) };
}
