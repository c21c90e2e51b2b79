import type { JsonObject } from "@capstan/protocol";
import { callOf, type ForeignTool, pathFields, textUnder, wrongCall } from "./foreign-tool.ts";

/** Edits written as blocks between SEARCH and REPLACE marks (Cline, Roo Code, Aider's form, Mistral's agent). */
export const markedBlocks: ForeignTool = {
  names: ["replace_in_file", "search_replace", "apply_diff", "searchreplace"],
  convert: (args) => {
    const path = textUnder(args, pathFields);
    const text = textUnder(args, ["diff", "content", "blocks", "patch"]);
    if (path === undefined || text === undefined || !opening.test(text)) return undefined;
    const edits = readBlocks(text);
    if (edits === undefined)
      return wrongCall("Each block needs the lines `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, in this order.");
    const [first] = edits;
    // A block that looks for nothing is the whole file.
    if (first !== undefined && edits.length === 1 && first.old_string === "")
      return callOf("write_file", { path, content: first.new_string, overwrite: true });
    return callOf("edit_file", { path, edits });
  },
};

const opening = /^(?:<{3,}|-{3,}) ?SEARCH>?[ \t]*$/m;

interface Edit extends JsonObject {
  readonly old_string: string;
  readonly new_string: string;
}

/** @returns `undefined` for marks that are not in order */
function readBlocks(text: string): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  let search: string[] = [];
  let replace: string[] = [];
  let part: "outside" | "search" | "replace" = "outside";
  for (const line of text.split(/\r?\n/)) {
    if (part === "outside") {
      if (opening.test(line)) [part, search, replace] = ["search", [], []];
    } else if (part === "search" && /^={5,}[ \t]*$/.test(line)) part = "replace";
    else if (part === "replace" && /^(?:>{3,}|\+{3,}) ?REPLACE>?[ \t]*$/.test(line)) {
      edits.push(editOf(search, replace));
      part = "outside";
    } else if (part === "search") search.push(line);
    else replace.push(line);
  }
  return part === "outside" && edits.length > 0 ? edits : undefined;
}

/** Whole lines: when nothing takes their place, their last line end goes, too. */
function editOf(search: readonly string[], replace: readonly string[]): Edit {
  const start = search.findIndex((line) => !/^:(start|end)_line:/.test(line));
  const sought = start > 0 && /^-{5,}$/.test(search[start] ?? "") ? search.slice(start + 1) : search;
  if (sought.length === 0) return { old_string: "", new_string: replace.map((line) => `${line}\n`).join("") };
  const end = replace.length === 0 ? "\n" : "";
  return { old_string: `${sought.join("\n")}${end}`, new_string: replace.join("\n") };
}
