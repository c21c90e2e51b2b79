import { unreachable } from "@capstan/protocol";
import { schemaIssues } from "../../schema-issue.ts";
import { checkText } from "../text-rules.ts";
import type { ThinkingMemory } from "../wire.ts";
import { type Finding, firstFinding, type WireProblem } from "../wire-problem.ts";
import { checkContents, checkSignatures, checkSystem } from "./message-rules.ts";
import { checkPairs, checkServerPairs } from "./pairing-rules.ts";
import type { AnthropicRequest } from "./anthropic-request.ts";
import { checkRemoved } from "./removed-fields.ts";
import { anthropicRequestSchema } from "./request-schema.ts";
import { checkThinking } from "./thinking-rules.ts";
import { checkCaching, checkTools } from "./tool-rules.ts";

/** The API version from which sampling parameters and citations in user messages are refused. */
export const strictVersion = "2026-10-21";

export interface AnthropicCheckOptions {
  /** The `anthropic-version` header; 2023-06-01 where missing. */
  readonly version?: string;
  /** The thinking that was sent before a tool call; without it only what the body itself shows is checked. */
  readonly thinkingOf?: ThinkingMemory;
  /** Another server signed the thinking. */
  readonly foreignSignatures?: boolean;
}

/**
 * Checks the body of a Messages request as the vendor does, and a little more strictly (roles must alternate).
 * @returns the refusal, or `undefined` for a request the vendor would accept
 */
export function checkAnthropicRequest(body: unknown, options: AnthropicCheckOptions = {}): WireProblem | undefined {
  const parsed = anthropicRequestSchema.safeParse(body);
  const finding = parsed.success
    ? checkMeaning(parsed.data, options)
    : (checkText(body) ?? firstIssue(parsed.error, body));
  if (finding === undefined) return undefined;
  const path = finding.path.map(String).join(".");
  const message = path === "" ? finding.message : `${path}: ${finding.message}`;
  return { status: 400, type: "invalid_request_error", message };
}

function checkMeaning(request: AnthropicRequest, options: AnthropicCheckOptions): Finding | undefined {
  const { version = "", thinkingOf = unknownThinking, foreignSignatures = false } = options;
  return firstFinding([
    () => checkText(request),
    () => checkContents(request.messages),
    () => (foreignSignatures ? undefined : checkSignatures(request.messages)),
    () => checkSystem(request.system),
    () => checkPairs(request.messages),
    () => checkServerPairs(request.messages),
    () => checkTools(request),
    () => checkCaching(request),
    () => checkThinking(request, thinkingOf),
    () => (version >= strictVersion ? checkRemoved(request) : undefined),
  ]);
}

function unknownThinking(): undefined {
  return undefined;
}

function firstIssue(error: Parameters<typeof schemaIssues>[0], body: unknown): Finding {
  const [issue] = schemaIssues(error, body);
  if (issue === undefined) return { path: [], message: "the body does not fit" };
  switch (issue.type) {
    case "unknown-field":
      return { path: issue.path, message: "Extra inputs are not permitted" };
    case "missing":
      return { path: issue.path, message: "Field required" };
    case "wrong":
      return { path: issue.path, message: issue.message };
    default:
      return unreachable(issue.type);
  }
}
