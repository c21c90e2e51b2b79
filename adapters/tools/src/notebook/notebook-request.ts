import { AppError, type JsonObject, ToolRefusal } from "@capstan/protocol";

export type CellType = "code" | "markdown" | "raw";

/** What a call of edit_notebook asks for. */
export interface NotebookRequest {
  readonly path: string;
  readonly mode: "replace" | "insert" | "delete";
  /** `undefined` only for `insert`: the cell becomes the first. */
  readonly cellId: string | undefined;
  readonly source: string;
  readonly cellType: CellType | undefined;
}

/** @throws {ToolRefusal} `tool.bad-arguments` */
export function notebookRequest(args: JsonObject): NotebookRequest {
  const { path, cell_id: cellId, new_source: source, cell_type: cellType, edit_mode: mode = "replace" } = args;
  if (typeof path !== "string") throw new AppError("internal.bug", "edit_notebook was called with unchecked arguments");
  if (mode !== "replace" && mode !== "insert" && mode !== "delete")
    throw bad("edit_mode must be replace, insert or delete.");
  if (mode !== "insert" && typeof cellId !== "string") throw bad(`${mode} needs cell_id: the cell's id, or cell-N.`);
  if (mode !== "delete" && typeof source !== "string") throw bad(`${mode} needs new_source: the cell's text.`);
  return {
    path,
    mode,
    cellId: typeof cellId === "string" ? cellId : undefined,
    source: typeof source === "string" ? source : "",
    cellType: cellType === "code" || cellType === "markdown" || cellType === "raw" ? cellType : undefined,
  };
}

function bad(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
