/** What the rules read of a Chat Completions request whose fields have the right types. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[] | undefined;
  readonly tool_choice?: "none" | "auto" | "required" | { readonly function: { readonly name: string } } | undefined;
  readonly parallel_tool_calls?: boolean | undefined;
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: object | null | undefined;
  readonly max_tokens?: number | null | undefined;
  readonly max_completion_tokens?: number | null | undefined;
}

export type ChatMessage =
  | { readonly role: "developer" | "system" | "user"; readonly content: string | readonly ChatPart[] }
  | ChatAssistantMessage
  | { readonly role: "tool"; readonly content: string | readonly ChatPart[]; readonly tool_call_id: string };

export interface ChatAssistantMessage {
  readonly role: "assistant";
  readonly content?: string | readonly ChatPart[] | null | undefined;
  readonly refusal?: string | null | undefined;
  readonly tool_calls?: readonly ChatToolCall[] | undefined;
}

interface ChatToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatPart {
  readonly type: string;
  readonly text?: string | undefined;
}
