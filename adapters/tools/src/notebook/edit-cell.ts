import { isJsonObject, type JsonObject, type JsonValue, ToolRefusal } from "@capstan/protocol";
import { quotedPath } from "../paths/path-syntax.ts";
import { sha256 } from "../files/sha256.ts";
import { type CellSpans, cellSpans, type Span } from "./cell-spans.ts";
import type { CellType, NotebookRequest } from "./notebook-request.ts";

/** A notebook as it will be, and what is said of the change. */
export interface EditedNotebook {
  readonly text: string;
  readonly done: string;
}

/**
 * Changes one cell of a notebook. Every character of the other cells, and of what stands around them, stays.
 * @throws {ToolRefusal} what is no notebook, or has no such cell
 */
export function editCell(json: string, request: NotebookRequest, shown: string): EditedNotebook {
  const path = quotedPath(shown);
  const { notebook, cells, spans } = readNotebook(json, path);
  const at = request.cellId === undefined ? -1 : indexOf(cells, request.cellId, path);
  const name = nameOf(cells[at], at);
  switch (request.mode) {
    case "replace": {
      const cell = replaced(cells[at] ?? {}, request);
      return {
        text: splice(json, spans.cells[at], cellText(cell, json, spans)),
        done: `Replaced ${name} of ${shown}.`,
      };
    }
    case "insert": {
      const cell = inserted(request, cells, hasIds(notebook));
      return { text: insertAfter(json, spans, at, cellText(cell, json, spans)), done: doneInserting(cell, at, shown) };
    }
    case "delete":
      return { text: removed(json, spans, at), done: `Deleted ${name} of ${shown}.` };
  }
}

function readNotebook(
  json: string,
  path: string,
): { readonly notebook: JsonObject; readonly cells: readonly JsonObject[]; readonly spans: CellSpans } {
  let notebook: JsonValue;
  try {
    notebook = JSON.parse(json);
  } catch {
    throw rejected(`${path} is no notebook: it is not JSON.`);
  }
  const spans = isJsonObject(notebook) ? cellSpans(json) : undefined;
  if (!isJsonObject(notebook) || spans === undefined || !Array.isArray(notebook["cells"]))
    throw rejected(`${path} is no notebook: it has no list of cells (nbformat 4).`);
  const cells = notebook["cells"].map((cell: JsonValue) => (isJsonObject(cell) ? cell : {}));
  return { notebook, cells, spans };
}

function indexOf(cells: readonly JsonObject[], cellId: string, path: string): number {
  const byId = cells.findIndex(({ id }) => id === cellId);
  if (byId !== -1) return byId;
  const number = Number(/^cell-(\d{1,6})$/.exec(cellId)?.[1] ?? -1);
  if (number >= 0 && number < cells.length) return number;
  const names = cells.slice(0, listedCells).map((cell, at) => nameOf(cell, at));
  const more = cells.length > names.length ? ", …" : "";
  throw rejected(`${path} has no cell ${JSON.stringify(cellId)}. It has ${names.join(", ") || "none"}${more}.`);
}

/** Cells that a refusal names. */
const listedCells = 20;

function nameOf(cell: JsonObject | undefined, at: number): string {
  const id = cell?.["id"];
  return typeof id === "string" ? `cell ${id}` : `cell-${at}`;
}

/** What a changed cell of code had put out is no longer what it puts out. */
function replaced(cell: JsonObject, { source, cellType }: NotebookRequest): JsonObject {
  const type = cellType ?? cell["cell_type"] ?? "code";
  const changed = { cell_type: type, ...codeFields(type), source: sourceValue(source, cell["source"]) };
  if (type === "code") return { ...cell, ...changed };
  const { outputs: _outputs, execution_count: _count, ...rest } = cell;
  return { ...rest, ...changed };
}

function inserted(request: NotebookRequest, cells: readonly JsonObject[], withId: boolean): JsonObject {
  const cellType: CellType = request.cellType ?? "code";
  const id = withId ? { id: newId(request, cells) } : {};
  return {
    cell_type: cellType,
    ...id,
    metadata: {},
    ...codeFields(cellType),
    source: sourceValue(request.source, []),
  };
}

function codeFields(type: JsonValue): JsonObject {
  return type === "code" ? { execution_count: null, outputs: [] } : {};
}

/** Lines with their ends, as notebooks have them; one text where the cell had one. */
function sourceValue(source: string, before: JsonValue | undefined): JsonValue {
  return typeof before === "string" ? source : (source.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Since nbformat 4.5 each cell has one. */
function hasIds({ nbformat, nbformat_minor: minor }: JsonObject): boolean {
  return typeof nbformat === "number" && typeof minor === "number" && (nbformat > 4 || (nbformat === 4 && minor >= 5));
}

/** The same call gives the same name: what was judged is what is written. */
function newId({ source, cellId }: NotebookRequest, cells: readonly JsonObject[]): string {
  const taken = new Set(cells.map(({ id }) => id));
  for (let count = cells.length; ; count += 1) {
    const id = sha256(Buffer.from(`${count}\n${cellId ?? ""}\n${source}`)).slice(0, 8);
    if (!taken.has(id)) return id;
  }
}

function cellText(cell: JsonObject, json: string, spans: CellSpans): string {
  const unit = indentOf(json);
  const [first] = spans.cells;
  const before = first === undefined ? unit.repeat(2) : blanksBefore(json, first.begin);
  return JSON.stringify(cell, null, unit).replaceAll("\n", `\n${before}`);
}

/** One level, as the file has it; on one line: none. */
function indentOf(json: string): string {
  return /^\s*\{\r?\n([ \t]+)/.exec(json)?.[1] ?? "";
}

/** What stands before the text in its line, if that is nothing but blanks. */
function blanksBefore(json: string, at: number): string {
  return /(?:^|\n)([ \t]*)$/.exec(json.slice(0, at))?.[1] ?? "";
}

function splice(json: string, span: Span | undefined, text: string): string {
  return span === undefined ? json : json.slice(0, span.begin) + text + json.slice(span.end);
}

function insertAfter(json: string, { list, cells }: CellSpans, at: number, text: string): string {
  const unit = indentOf(json);
  const lineEnd = unit === "" ? "" : "\n";
  const [first] = cells;
  if (first === undefined) {
    const inner = `[${lineEnd}${unit.repeat(2)}${text}${lineEnd}${unit}]`;
    return splice(json, list, inner);
  }
  const between = `,${lineEnd}${unit === "" ? " " : blanksBefore(json, first.begin)}`;
  const before = cells[at];
  return before === undefined
    ? json.slice(0, first.begin) + text + between + json.slice(first.begin)
    : json.slice(0, before.end) + between + text + json.slice(before.end);
}

function removed(json: string, { list, cells }: CellSpans, at: number): string {
  const [cell, next, previous] = [cells[at], cells[at + 1], cells[at - 1]];
  if (cell === undefined) return json;
  if (next !== undefined) return json.slice(0, cell.begin) + json.slice(next.begin);
  if (previous !== undefined) return json.slice(0, previous.end) + json.slice(cell.end);
  return splice(json, list, "[]");
}

function doneInserting({ id }: JsonObject, at: number, shown: string): string {
  return `Inserted ${typeof id === "string" ? `cell ${id}` : `cell-${at + 1}`} in ${shown}.`;
}

function rejected(message: string): ToolRefusal {
  return new ToolRefusal("rejected", "tool.bad-arguments", message);
}
