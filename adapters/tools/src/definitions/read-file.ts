import type { JsonObject } from "@capstan/protocol";
import { renamed, path, wholeNumber } from "../arguments/argument-alias.ts";
import type { ToolEntry, ToolText } from "../tool-entry.ts";

export const readFile: ToolEntry = {
  name: "read_file",
  definition: () => definition,
  effect: "read",
  settles: false,
  rules: { names: ["read", "view"], pattern: "path", contents: "read" },
  aliases: ["Read", "read", "file_read", "ReadFile", "view", "View", "cat", "view_file", "open_file"],
  argumentAliases: [
    path,
    { from: ["offset", "limit"], convert: rangeOfOffset },
    { from: ["view_range", "line_range", "range"], convert: rangeOfPair },
    renamed("start_line", ["startLine", "start", "from_line", "line_start"]),
    renamed("end_line", ["endLine", "end", "to_line", "line_end"]),
  ],
  load: async ({ options, paths }) =>
    (await import("../implementations.ts")).createReadFileTool(options, await paths()),
};

const definition: ToolText = {
  description:
    "Read a UTF-8 text file. Lines come with their numbers and a tab, which are not part of the file. " +
    "Long output is cut, with a note that says how to read on. Needed before a file is changed with edit_file, apply_patch or " +
    "write_file.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      start_line: { type: "integer", minimum: 1, description: "From 1" },
      end_line: { type: "integer", minimum: 1, description: "Included" },
    },
    required: ["path"],
    additionalProperties: false,
  },
};

/** `offset`: first line, 1-based (0 means the same as 1); `limit`: number of lines. */
function rangeOfOffset(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const offset = present.includes("offset") ? wholeNumber(args["offset"]) : 1;
  const limit = present.includes("limit") ? wholeNumber(args["limit"]) : null;
  if (offset === undefined || limit === undefined) return undefined;
  const startLine = Math.max(1, offset);
  if (limit === null) return { start_line: startLine };
  return limit < 1 ? undefined : { start_line: startLine, end_line: startLine + limit - 1 };
}

/** `[first, last]`; -1 as last line means the end of the file. */
function rangeOfPair(args: JsonObject, present: readonly string[]): JsonObject | undefined {
  const pair = args[present[0] ?? ""];
  if (!Array.isArray(pair) || pair.length !== 2) return undefined;
  const [first, last] = pair;
  if (typeof first !== "number" || typeof last !== "number") return undefined;
  return last === -1 ? { start_line: first } : { start_line: first, end_line: last };
}
