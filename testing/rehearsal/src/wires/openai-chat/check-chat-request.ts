import { unreachable } from "@capstan/protocol";
import { type SchemaIssue, schemaIssues } from "../../schema-issue.ts";
import { checkText } from "../text-rules.ts";
import { type BodyPath, type Finding, firstFinding, type WireProblem } from "../wire-problem.ts";
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
    return toProblem(checkText(body) ?? fromIssue(issue));
  }
  return toProblem(checkMeaning(parsed.data));
}

function checkMeaning(request: ChatRequest): Finding | undefined {
  return firstFinding([
    () => checkText(request),
    () => checkMessages(request.messages),
    () => checkPairs(request.messages),
    () => checkSettings(request),
  ]);
}

function fromIssue(issue: SchemaIssue | undefined): Finding {
  if (issue === undefined) return { path: [], message: "the body does not fit" };
  switch (issue.type) {
    case "unknown-field":
      return { path: issue.path, message: "unknown parameter", code: "unknown_parameter" };
    case "missing":
      return { path: issue.path, message: "missing required parameter", code: "missing_required_parameter" };
    case "wrong":
      return { path: issue.path, message: issue.message };
    default:
      return unreachable(issue.type);
  }
}

function toProblem(finding: Finding | undefined): WireProblem | undefined {
  if (finding === undefined) return undefined;
  const param = paramOf(finding.path);
  return {
    status: 400,
    type: "invalid_request_error",
    message: param === "" ? finding.message : `Invalid '${param}': ${finding.message}`,
    ...(param !== "" && { param }),
    code: finding.code ?? "invalid_value",
  };
}

function paramOf(path: BodyPath): string {
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "");
}
