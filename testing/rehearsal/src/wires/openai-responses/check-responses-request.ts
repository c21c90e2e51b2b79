import { schemaIssues } from "../../schema-issue.ts";
import { findingOfIssue, toOpenAiProblem } from "../openai-problem.ts";
import { checkText } from "../text-rules.ts";
import { type Finding, firstFinding, type WireProblem } from "../wire-problem.ts";
import { checkContent, checkPairs, checkSettings } from "./input-rules.ts";
import { checkReasoning } from "./reasoning-rules.ts";
import { responsesRequestSchema } from "./request-schema.ts";
import type { ResponsesRequest } from "./responses-request.ts";

export interface ResponsesCheckOptions {
  /** Another server sealed the reasoning, and may keep items. */
  readonly foreignSignatures?: boolean;
}

/**
 * Checks the body of a Responses request as the vendor does.
 * @returns the refusal, or `undefined` for a request it would accept
 */
export function checkResponsesRequest(body: unknown, options: ResponsesCheckOptions = {}): WireProblem | undefined {
  const parsed = responsesRequestSchema.safeParse(body);
  if (!parsed.success) {
    const [issue] = schemaIssues(parsed.error, body);
    return toOpenAiProblem(checkText(body) ?? findingOfIssue(issue));
  }
  return toOpenAiProblem(checkMeaning(parsed.data, options));
}

function checkMeaning(
  request: ResponsesRequest,
  { foreignSignatures = false }: ResponsesCheckOptions,
): Finding | undefined {
  const { input } = request;
  const items = typeof input === "string" ? [] : input;
  return firstFinding([
    () => checkText(request),
    () => (typeof input === "string" ? checkPrompt(input) : checkContent(items)),
    () => checkPairs(items),
    () => (foreignSignatures ? undefined : checkReasoning(items, request)),
    () => checkSettings(request),
  ]);
}

function checkPrompt(input: string): Finding | undefined {
  return input === "" ? { path: ["input"], message: "expected non-empty content" } : undefined;
}
