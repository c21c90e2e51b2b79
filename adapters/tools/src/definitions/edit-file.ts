import { isJsonObject, type JsonObject, type JsonValue } from "@capstan/protocol";
import { renamed, dropped, path } from "../arguments/argument-alias.ts";
import { adaptArguments } from "../arguments/adapt-arguments.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

const editList = {
  type: "array",
  items: {
    type: "object",
    properties: {
      old_string: { type: "string" },
      new_string: { type: "string" },
      replace_all: { type: "boolean" },
    },
    required: ["old_string", "new_string"],
    additionalProperties: false,
  },
};

const fieldsOfOneEdit = [
  renamed("old_string", ["old_text", "old_str", "oldString", "oldText", "oldStr", "old", "search", "find"]),
  renamed("new_string", ["new_text", "new_str", "newString", "newText", "newStr", "new", "replace", "replacement"]),
  renamed("replace_all", ["replaceAll", "all", "allow_multiple"]),
  renamed("expected_replacements", ["expectedReplacements", "expected_occurrences"]),
];

export const editFile: ToolEntry = {
  name: "edit_file",
  definition: () => definition,
  accepts: {
    properties: { edits: editList, expected_replacements: { type: "integer", minimum: 1 } },
    required: ["path"],
  },
  effect: "write",
  settles: true,
  rules: { names: ["str_replace", "edit", "write", "multi_edit", "patch"], pattern: "path", contents: "written" },
  // `Edit` takes old_string and new_string in nearly every agent; the one that means a patch by it sends a field `patch`.
  aliases: [
    "Edit",
    "edit",
    "file_edit",
    "EditFile",
    "str_replace",
    "replace_in_file",
    "search_replace",
    "replace",
    "MultiEdit",
    "multi_edit",
  ],
  argumentAliases: [
    path,
    ...fieldsOfOneEdit,
    { from: ["edits"], overrides: true, convert: listOfEdits },
    { from: ["changes", "replacements"], convert: listOfEdits },
    dropped(["description", "explanation", "instruction"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createEditFileTool(options, await paths()),
};

const definition: ToolText = {
  description:
    "Replace old_string by new_string in a file that was read before. old_string must be the file's exact text, white space " +
    "included, without line numbers, and occur once: quote enough lines around the change, or set replace_all.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      old_string: { type: "string", description: "Empty to create a missing file" },
      new_string: { type: "string" },
      replace_all: { type: "boolean" },
    },
    required: ["path", "old_string", "new_string"],
    additionalProperties: false,
  },
  offered: "not-plan",
};

/** Each with fields of whatever name; a list may come as JSON text. */
function listOfEdits(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const value = args[present[0] ?? ""];
  const list = typeof value === "string" ? parsed(value) : isJsonObject(value ?? null) ? [value ?? null] : value;
  if (!Array.isArray(list)) return undefined;
  return {
    edits: list.map((edit: JsonValue) =>
      isJsonObject(edit) ? adaptArguments(fieldsOfOneEdit, editList.items, withoutPath(edit)) : edit,
    ),
  };
}

/** Some name the file in each edit, too. */
function withoutPath(edit: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(edit).filter(([name]) => name !== "path" && name !== "file_path"));
}

function parsed(text: string): JsonValue | undefined {
  try {
    return text.trim().startsWith("[") ? JSON.parse(text) : undefined;
  } catch {
    return undefined; // the schema check says what was expected
  }
}
