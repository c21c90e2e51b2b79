/** What the rules read of a Responses request whose fields have the right types. */
export interface ResponsesRequest {
  readonly input: string | readonly InputItem[];
  readonly tools?: readonly ResponsesTool[] | null | undefined;
  readonly tool_choice?:
    | "none"
    | "auto"
    | "required"
    | { readonly type: string; readonly name?: string | undefined }
    | undefined;
  readonly store?: boolean | null | undefined;
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: object | null | undefined;
  readonly previous_response_id?: string | null | undefined;
  readonly conversation?: string | object | null | undefined;
}

interface ResponsesTool {
  readonly type: string;
  readonly name?: string | undefined;
}

export type InputItem = MessageItem | CallItem | OutputItem | ReasoningItem | ReferenceItem | ServerItem;

export interface MessageItem {
  readonly type: "message";
  readonly role: "user" | "system" | "developer" | "assistant";
  readonly content: string | readonly InputPart[];
}

export interface InputPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
}

interface CallItem {
  readonly type: "function_call" | "custom_tool_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments?: string | undefined;
}

interface OutputItem {
  readonly type: "function_call_output" | "custom_tool_call_output";
  readonly call_id: string;
  readonly output: string | readonly InputPart[];
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly id: string;
  readonly summary: readonly { readonly text: string }[];
  readonly encrypted_content?: string | null | undefined;
}

interface ReferenceItem {
  readonly type: "item_reference";
  readonly id: string;
}

/** What the vendor's own tools left: echoed as it came. */
interface ServerItem {
  readonly type: (typeof serverItemTypes)[number];
  readonly id: string;
}

export const serverItemTypes = [
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "compaction",
] as const;
