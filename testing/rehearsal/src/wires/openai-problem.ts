import { unreachable } from "@capstan/protocol";
import type { SchemaIssue } from "../schema-issue.ts";
import type { BodyPath, Finding, WireProblem } from "./wire-problem.ts";

/** What a schema refused, as OpenAI's wires put it. */
export function findingOfIssue(issue: SchemaIssue | undefined): Finding {
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

/** A refusal as OpenAI's wires put it, with the offending parameter. */
export function toOpenAiProblem(finding: Finding | undefined): WireProblem | undefined {
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
