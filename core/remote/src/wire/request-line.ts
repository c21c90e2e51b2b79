import type { z } from "zod";
import { maxNameCharacters, shownProblems } from "../limits.ts";
import { isOperation, operations } from "../operations/operations.ts";
import type { OperationId, Params } from "../operations/operation-types.ts";
import { readObjectLine, shown } from "./object-line.ts";
import { type Problem, problem } from "./problem.ts";

/** What became of a line: a request, or what is wrong with it. Without an id only a failure is answered. */
export type ReadRequest =
  | { readonly type: "request"; readonly id: string | null; readonly op: OperationId; readonly params: unknown }
  | { readonly type: "refused"; readonly id: string | null; readonly problem: Problem };

/** Reads a line of a client. Total: any text gives a request or says what is wrong with it. */
export function readRequest(line: string): ReadRequest {
  const parsed = readObjectLine(line);
  if (typeof parsed === "string") return refused(null, parsed, shapeHint);
  const { id = null, op, params = {}, ...others } = parsed;
  const known = typeof id === "string" && id !== "" && id.length <= maxNameCharacters ? id : null;
  if (id !== null && known === null) return refused(null, "`id` must be a text of 1 to 1000 characters", shapeHint);
  if (typeof op !== "string") return refused(known, "`op` is missing: the name of an operation", shapeHint);
  const [other] = Object.keys(others);
  if (other !== undefined) return refused(known, `unknown field ${shown(other)} beside \`id\`, \`op\` and \`params\``);
  if (!isOperation(op)) return refused(known, `unknown operation ${shown(op)}`, operationHint);
  return { type: "request", id: known, op, params };
}

/** Parameters that fit the operation, or what is wrong with them. */
export function checkParams<Id extends OperationId>(
  op: Id,
  raw: unknown,
): { readonly type: "fit"; readonly params: Params<Id> } | { readonly type: "refused"; readonly problem: Problem } {
  const { data, error } = operations[op].params.safeParse(raw);
  if (error === undefined) return { type: "fit", params: data };
  const problems = error.issues.slice(0, shownProblems).map((issue) => issueText(issue));
  const hint = "docs/reference/operations.md has the parameters of every operation.";
  return { type: "refused", problem: problem("door.schema", `${op}: ${problems.join("; ")}`, hint) };
}

const shapeHint = 'A request is a line such as {"id":"1","op":"sessions.list","params":{}}.';
const operationHint = `Operations: ${Object.keys(operations).join(", ")}.`;

function refused(id: string | null, message: string, hint?: string): ReadRequest {
  return { type: "refused", id, problem: problem("door.schema", message, hint) };
}

/** A schema's complaint, with the field that it is about. */
function issueText(issue: z.core.$ZodIssue): string {
  const place = ["params", ...issue.path.map(String)].join(".");
  if (issue.code === "unrecognized_keys") return `${place}: unknown field ${issue.keys.map(shown).join(", ")}`;
  return `${place}: ${issue.message}`;
}
