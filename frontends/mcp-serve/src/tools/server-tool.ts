import type { JsonObject, Role } from "@capstan/protocol";

/** What a client reads of a call: words, and the same as data. */
export interface CallResult {
  readonly text: string;
  readonly data?: object;
  /** Pictures beside the words, base64. */
  readonly images?: readonly { readonly mediaType: string; readonly base64: string }[];
  readonly isError?: true;
}

/** What goes with one call of a client. */
export interface CallSurroundings {
  /** The client has given the call up. */
  readonly signal: AbortSignal;
  /** Something happened: shown to whoever waits, where the client asked for it. */
  progress(line: string): void;
}

/** A tool that the client is offered. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** It changes nothing. */
  readonly isReading: boolean;
  /** The least role of a client that it is offered to. */
  readonly role: Role;
  call(args: JsonObject, surroundings: CallSurroundings): Promise<CallResult>;
}
