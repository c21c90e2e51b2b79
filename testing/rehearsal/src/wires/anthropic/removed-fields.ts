import type { Finding } from "../wire-problem.ts";
import type { AnthropicRequest } from "./anthropic-request.ts";
import { blocksOf } from "./pairing-rules.ts";

const removedFields = ["temperature", "top_p", "top_k"] as const;

/** What API version 2026-10-21 took away: sampling parameters, and citations on texts of the user. */
export function checkRemoved(request: AnthropicRequest): Finding | undefined {
  const removed = removedFields.find((field) => request[field] !== undefined);
  if (removed !== undefined) return { path: [removed], message: "not supported from API version 2026-10-21 on" };
  for (const [index, message] of request.messages.entries()) {
    if (message.role !== "user") continue;
    const at = blocksOf(message).findIndex((block) => block.type === "text" && (block.citations?.length ?? 0) > 0);
    if (at >= 0) {
      const path = ["messages", index, "content", at, "citations"];
      return { path, message: "`citations` must be empty in `user` messages" };
    }
  }
  return undefined;
}
