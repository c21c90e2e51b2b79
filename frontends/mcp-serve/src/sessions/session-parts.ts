import { AppError, type ClientIdentity, type EngineClient, type Receipt } from "@capstan/protocol";
import type { HeldSessions } from "./held-sessions.ts";

/** What the tools about sessions work with. */
export interface SessionParts {
  readonly client: EngineClient;
  readonly identity: ClientIdentity;
  readonly held: HeldSessions;
}

/** @throws AppError with what the refusal says */
export function accepted(receipt: Receipt): void {
  if (receipt.type === "accepted") return;
  throw new AppError("usage.invalid", receipt.reason, receipt.hint === undefined ? {} : { hint: receipt.hint });
}
