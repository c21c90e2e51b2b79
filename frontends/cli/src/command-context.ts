import type { ClientIdentity, EngineClient } from "@capstan/protocol";
import type { Streams } from "./output.ts";

/** What a command runs on that asks the engine. */
export interface CommandContext {
  readonly client: EngineClient;
  readonly identity: ClientIdentity;
  readonly streams: Streams & { readonly width?: number };
}
