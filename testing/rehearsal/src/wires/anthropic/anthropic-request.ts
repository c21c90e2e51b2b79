/** What the rules read of a Messages request whose fields have the right types. */
export interface AnthropicRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly AnthropicMessage[];
  readonly system?: string | readonly AnthropicTextBlock[] | undefined;
  readonly tools?: readonly (Cacheable & { readonly name: string })[] | undefined;
  readonly tool_choice?: ToolChoice | undefined;
  readonly thinking?: ThinkingSetting | undefined;
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly top_k?: number | undefined;
  readonly cache_control?: CacheControl | null | undefined;
}

export interface AnthropicMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly AnthropicBlock[];
}

export type AnthropicBlock =
  | AnthropicTextBlock
  | (Cacheable & { readonly type: "image" | "document" | "container_upload" })
  | (Cacheable & {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content?:
        | string
        | readonly (AnthropicTextBlock | (Cacheable & { readonly type: "image" | "document" }))[]
        | undefined;
      readonly is_error?: boolean | undefined;
    })
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | (Cacheable & { readonly type: "tool_use" | "server_tool_use"; readonly id: string; readonly name: string })
  | (Cacheable & { readonly type: ServerResultType; readonly tool_use_id: string });

/** Results of the vendor's own tools; each follows its `server_tool_use` in the same message. */
export const serverResultTypes = [
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
] as const;
export type ServerResultType = (typeof serverResultTypes)[number];

interface AnthropicTextBlock extends Cacheable {
  readonly type: "text";
  readonly text: string;
  readonly citations?: readonly object[] | null | undefined;
}

export interface CacheControl {
  readonly ttl?: "5m" | "1h" | undefined;
}

export interface Cacheable {
  readonly cache_control?: CacheControl | null | undefined;
}

type ToolChoice = { readonly type: "auto" | "any" | "none" } | { readonly type: "tool"; readonly name: string };

type ThinkingSetting =
  | { readonly type: "enabled"; readonly budget_tokens: number }
  | { readonly type: "adaptive" | "between_tools" | "disabled" };
