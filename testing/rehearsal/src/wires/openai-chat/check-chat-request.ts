import { schemaIssues } from "../../schema-issue.ts";
import { findingOfIssue, toOpenAiProblem } from "../openai-problem.ts";
import { checkText } from "../text-rules.ts";
import { type Finding, firstFinding, type WireProblem } from "../wire-problem.ts";
import { checkMessages, checkPairs, checkSettings } from "./message-rules.ts";
import type { ChatRequest } from "./chat-request.ts";
import { chatRequestSchema } from "./request-schema.ts";

/**
 * Checks the body of a Chat Completions request as the vendor and the stricter of its imitators do.
 * @returns the refusal, or `undefined` for a request they would accept
 */
export function checkChatRequest(body: unknown): WireProblem | undefined {
  const parsed = chatRequestSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = schemaIssues(parsed.error, body);
    return toOpenAiProblem(checkText(body) ?? findingOfIssue(issue));
  }
  return toOpenAiProblem(checkMeaning(parsed.data));
}

function checkMeaning(request: ChatRequest): Finding | undefined {
  return firstFinding([
    () => checkText(request),
    () => checkMessages(request.messages),
    () => checkPairs(request.messages),
    () => checkSettings(request),
  ]);
}
