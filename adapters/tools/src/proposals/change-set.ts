import { isJsonObject, type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { maxSetOperations } from "./limits.ts";

/** One file of a set. `args`: what the tool that does such a thing alone takes. */
export interface FileOperation {
  readonly operation: "edit" | "write" | "delete";
  readonly path: string;
  readonly args: JsonObject;
}

/** What a call of propose_changes asks for. */
export interface ChangeSet {
  readonly description: string;
  readonly operations: readonly FileOperation[];
  readonly isAtomic: boolean;
}

/** @throws {ToolRefusal} `tool.bad-arguments` */
export function changeSet({ description, operations, mode = "atomic" }: JsonObject): ChangeSet {
  if (typeof description !== "string" || !Array.isArray(operations))
    throw bad("description and operations are needed.");
  const made = operations.flatMap((each: JsonValue, at) => operationOf(isJsonObject(each) ? each : {}, at + 1));
  if (made.length === 0) throw bad("operations must name at least one file to edit, write or delete.");
  if (made.length > maxSetOperations)
    throw bad(`operations has ${made.length} entries; at most ${maxSetOperations} are one set.`);
  return { description, operations: made, isAtomic: mode !== "incremental" };
}

function operationOf({ operation, path, content, edits }: JsonObject, number: number): readonly FileOperation[] {
  const place = `Operation ${number}`;
  if (typeof path !== "string" || path === "") throw bad(`${place}: path is missing.`);
  switch (operation) {
    case "edit":
      if (edits === undefined) throw bad(`${place}: edits is missing.`);
      return [{ operation, path, args: { path, edits } }];
    case "write":
      if (typeof content !== "string") throw bad(`${place}: content is missing.`);
      return [{ operation, path, args: { path, content, overwrite: true } }];
    case "delete":
      return [{ operation, path, args: { path } }];
    default:
      throw bad(`${place}: operation must be edit, write or delete.`);
  }
}

function bad(text: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", text);
}
