import { path, renamed } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

export const editNotebook: ToolEntry = {
  name: "edit_notebook",
  definition: () => definition,
  effect: "write",
  settles: true,
  rules: { names: ["notebook_edit", "edit", "write"], pattern: "path", contents: "written" },
  aliases: ["NotebookEdit"],
  argumentAliases: [
    renamed("path", ["notebook_path", "target_notebook", "notebookPath"]),
    path,
    renamed("new_source", ["source", "content", "newSource", "new_string"]),
    renamed("cell_id", ["cellId", "cell"]),
    renamed("cell_type", ["cellType", "type"]),
    renamed("edit_mode", ["mode", "editMode", "action"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createEditNotebookTool(options, await paths()),
};

const definition: ToolText = {
  description:
    "Change one cell of a Jupyter notebook (.ipynb) that was read before; the rest of the file stays as it is. replace and delete " +
    "need cell_id; insert puts a cell behind it, or first.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      cell_id: { type: "string", description: "Its id, or cell-N, the first being cell-0" },
      new_source: { type: "string" },
      cell_type: { enum: ["code", "markdown", "raw"] },
      edit_mode: { enum: ["replace", "insert", "delete"], description: "Default replace" },
    },
    required: ["path"],
    additionalProperties: false,
  },
  offered: "not-plan",
  deferred: true,
};
