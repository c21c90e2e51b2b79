import type { JsonObject } from "@capstan/protocol";
import { wholeNumber } from "../arguments/argument-alias.ts";
import { callOf, type ConvertedCall, type ForeignTool, pathFields, textUnder, wrongCall } from "./foreign-tool.ts";

/** The editor that Anthropic's models know: one tool whose field `command` says which of ours is meant. */
export const editorCommands: ForeignTool = {
  names: ["str_replace_based_edit_tool", "str_replace_editor", "str_replace_based_edit", "text_editor"],
  convert: (args, name) => {
    const path = textUnder(args, pathFields);
    if (path === undefined) return wrongCall("`path` is missing.");
    switch (args["command"]) {
      case "view":
        return callOf("read_file", { path, ...given(args, ["view_range"]) });
      case "create":
        // The older of these tools never overwrites.
        return callOf("write_file", {
          path,
          ...given(args, ["file_text", "content"]),
          ...(name.toLowerCase() === "str_replace_editor" ? {} : { overwrite: true }),
        });
      case "str_replace":
        return callOf("edit_file", { path, new_str: "", ...given(args, ["old_str", "new_str", "replace_all"]) });
      case "insert":
        return insertion(path, args);
      case "undo_edit":
        return wrongCall(
          "undo_edit is not there: a model cannot take back what was done, the user can (`capstan undo`). Write the former text with `str_replace`.",
        );
      default:
        return wrongCall("`command` must be one of view, create, str_replace, insert.");
    }
  },
};

/** As a patch that names the position: lines stand behind line `insert_line`, 0 is the top. */
function insertion(path: string, args: JsonObject): ConvertedCall {
  const line = wholeNumber(args["insert_line"]);
  const text = textUnder(args, ["new_str", "insert_text", "text"]);
  if (line === undefined || text === undefined)
    return wrongCall("insert needs `insert_line` (0: at the top) and `new_str`.");
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const stuffed = lines.map((content) => (content.startsWith(".") ? `.${content}` : content));
  const patch = ["LP1", `F ${quoted(path)}`, `I ${line + 1}`, ".", ...stuffed, ".", "END"].join("\n");
  return callOf("apply_patch", { patch });
}

/** A path as LP1 writes it. */
function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[\r\n]/g, " ")}"`;
}

function given(args: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => names.includes(name) && value !== null));
}
