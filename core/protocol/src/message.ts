import type { StepId, ToolCallId } from "./ids.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ToolProfileName } from "./model/tool-profile.ts";

/** What a user (or a frontend on their behalf) puts into a turn. */
export type UserContent = { readonly type: "text"; readonly text: string } | MediaContent;

/** `data` is base64; `mediaType` such as `image/png` or `application/pdf`. */
export interface MediaContent {
  readonly type: "media";
  readonly mediaType: string;
  readonly data: string;
  readonly name?: string;
}

/** Which model produced something; thinking and provider items may only be echoed to the same wire and vendor. */
export interface ModelOrigin {
  readonly provider: string;
  readonly model: string;
  readonly wire: string;
}

/** A call as the model wrote it. Malformed arguments are kept, answered as an error, and never executed. */
export type ToolArguments =
  | { readonly type: "json"; readonly value: JsonObject }
  | { readonly type: "malformed"; readonly text: string; readonly problem: string };

export type AssistantBlock =
  | {
      readonly type: "text";
      readonly text: string;
      readonly citations?: readonly JsonValue[];
      readonly signature?: string;
    }
  | {
      readonly type: "thinking";
      readonly text: string;
      /** The vendor's proof that the text is its own; echoed unchanged or the block is dropped. */
      readonly signature?: string;
      /** Encrypted thinking without readable text. */
      readonly redacted?: string;
    }
  | {
      readonly type: "tool-call";
      readonly callId: ToolCallId;
      readonly name: string;
      readonly arguments: ToolArguments;
      readonly signature?: string;
      /** The arguments are one text, which came and goes back as it is, not as JSON. */
      readonly freeform?: true;
      /** How the model wrote it in its own words, where that does not follow from what it means. */
      readonly written?: WrittenCall;
    }
  /** A block of the vendor's own (server-side tools, reasoning items): kept raw and echoed to the same wire. */
  | { readonly type: "provider-item"; readonly item: JsonObject };

/** A call in the words of the answer's profile. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: ToolArguments;
  readonly freeform?: true;
}

export type ToolCallBlock = Extract<AssistantBlock, { readonly type: "tool-call" }>;

/** A whole answer of a model, in the order of its blocks. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly origin: ModelOrigin;
  /** The profile in whose words its calls were written; absent: our own. In the journal they are in ours. */
  readonly words?: ToolProfileName;
  readonly content: readonly AssistantBlock[];
}

export type UserBlock =
  | UserContent
  | {
      readonly type: "tool-result";
      readonly callId: ToolCallId;
      readonly toolName: string;
      readonly content: string;
      readonly isError: boolean;
      /** Answers a call whose arguments are one text. */
      readonly freeform?: true;
    };

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly UserBlock[];
}

/**
 * One entry of the provider-neutral conversation.
 * Contract of a projected conversation: it begins with a user message, roles alternate, no message and no text block is
 * empty, and every tool call is answered exactly once, in call order, at the start of the user message that follows it.
 */
export type Message = UserMessage | AssistantMessage;

/** What one model call is asked, before any vendor's wire. */
export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly maxOutputTokens: number;
  /** The step it belongs to, the same for each attempt: from it a wire makes the key by which its vendor knows a request again. */
  readonly stepId?: StepId;
}

/** A tool as the model reads about it. `inputSchema` is a JSON Schema of type object. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** Its only argument may be sent as it is, by models whose wire has calls of that kind. */
  readonly freeform?: ToolGrammar;
  /** When the model reads of it and may call it; absent: always. For the engine alone, never sent to a vendor. */
  readonly offered?: ToolOffer;
  /** The model reads of it only once it has found it with `search_tools`. For the engine alone, never sent to a vendor. */
  readonly deferred?: true;
  /** What the tool has to do with plans. For the engine alone, never sent to a vendor. */
  readonly planRole?: PlanRole;
}

/** The tool that finds deferred ones. */
export const searchToolsName = "search_tools";

/** What the text of a freeform call may look like. `argument`: the field it stands for. */
export interface ToolGrammar {
  readonly syntax: "lark";
  readonly definition: string;
  readonly argument: string;
}

/** `presents`: it hands a plan over for review. `writes`: it writes whole files, and this argument holds their content. */
export type PlanRole = { readonly type: "presents" } | { readonly type: "writes"; readonly argument: string };

/**
 * `plan`: in plan mode only. `not-plan`: in every other mode. `sandboxed-in-plan`: in plan mode only where the sandbox is enforced.
 * `unlisted`: the model is not shown it, and may call it in every mode.
 */
export type ToolOffer = "plan" | "not-plan" | "sandboxed-in-plan" | "unlisted";
