import { AppError, isJsonObject, type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { maxEdits } from "./limits.ts";

/** What a call of edit_file asks for. */
export interface EditRequest {
  readonly path: string;
  /** At least one; in order, each on what the one before left. */
  readonly edits: readonly OneEdit[];
}

export interface OneEdit {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
  /** How often the old text must occur; it is then replaced everywhere. */
  readonly expected?: number;
}

/** @throws {ToolRefusal} `tool.bad-arguments` */
export function editRequest(args: JsonObject): EditRequest {
  const { path, edits } = args;
  if (typeof path !== "string") throw new AppError("internal.bug", "edit_file was called with unchecked arguments");
  const given = args["old_string"] !== undefined || args["new_string"] !== undefined;
  if (edits === undefined) return { path, edits: [oneEdit(args, "")] };
  if (given) throw bad("Give either edits, or old_string and new_string.");
  if (!Array.isArray(edits) || edits.length === 0) throw bad("edits must be a list with at least one edit.");
  if (edits.length > maxEdits) throw bad(`edits has ${edits.length} entries; at most ${maxEdits} are made at once.`);
  return {
    path,
    edits: edits.map((edit: JsonValue, index) => oneEdit(isJsonObject(edit) ? edit : {}, `edits[${index}].`)),
  };
}

function oneEdit(
  { old_string, new_string, replace_all = false, expected_replacements }: JsonObject,
  place: string,
): OneEdit {
  if (typeof old_string !== "string") throw bad(`${place}old_string is missing: the text to replace.`);
  if (typeof new_string !== "string") throw bad(`${place}new_string is missing: the text to put in its place.`);
  if (old_string === new_string)
    throw bad(`${place}old_string and ${place}new_string are the same. Nothing would change.`);
  const expected = typeof expected_replacements === "number" ? { expected: expected_replacements } : {};
  const all = replace_all === true || (expected.expected ?? 1) > 1;
  return { oldText: old_string, newText: new_string, all, ...expected };
}

function bad(text: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", text);
}
