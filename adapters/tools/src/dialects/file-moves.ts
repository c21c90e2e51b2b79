import type { JsonObject } from "@capstan/protocol";
import { callOf, type ConvertedCall, type ForeignTool, pathFields, textUnder, wrongCall } from "./foreign-tool.ts";

/** Files that are deleted or moved by a tool of their own. */
export const fileMoves: readonly ForeignTool[] = [
  {
    names: ["delete_file", "remove_file", "deletefile", "file_delete"],
    convert: (args) => {
      const path = textUnder(args, pathFields);
      return path === undefined ? wrongCall("`path` is missing.") : patchOf([path], [`*** Delete File: ${path}`]);
    },
  },
  {
    names: ["move_file", "rename_file", "movefile", "file_move"],
    convert: (args: JsonObject) => {
      const from = textUnder(args, ["source", "from", "old_path", "source_path", ...pathFields]);
      const to = textUnder(args, ["destination", "to", "new_path", "destination_path", "target", "target_path"]);
      return from === undefined || to === undefined
        ? wrongCall("`source` and `destination` are needed.")
        : patchOf([from, to], [`*** Update File: ${from}`, `*** Move to: ${to}`]);
    },
  },
];

function patchOf(paths: readonly string[], lines: readonly string[]): ConvertedCall {
  if (paths.some((path) => /[\r\n]/.test(path))) return wrongCall("A path is one line.");
  return callOf("apply_patch", { patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });
}
